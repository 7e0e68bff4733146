/** API tokens: what programs enter by. */
import { use } from "react";
import { limits } from "../../core/limits.ts";
import type { ApiToken, Role } from "../../core/registry/registry.ts";
import { Boundary } from "../boundary.tsx";
import { Form, usePlace } from "../place.tsx";
import { Skeleton } from "../skeleton.tsx";
import { Time, Until } from "../time.tsx";
import { Entry } from "./entry.tsx";
import { CopyLine, Once, type Shown } from "./once.tsx";
import { RoleSelect, roleWord } from "./role-select.tsx";
import { SettingsSection } from "./section.tsx";

/** What the section is made of. */
export interface TokensProps {
  readonly tokens: readonly Omit<ApiToken, "hash">[];
  /** When each token was last used, by its id. */
  readonly uses: Promise<Readonly<Record<string, number>>>;
  readonly shown?: Shown | undefined;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly nowMs: number;
}

/** Forms lead back to the section that they are in. */
const ACTION = "/settings#tokens";

/** What a program may with each role: settings are for people alone. */
const WORDS: Readonly<Record<Role, string>> = {
  viewer: "Viewer: reads",
  member: "Member: also decides",
  owner: "Owner: also exports and erases",
};

/** The section. */
export function Tokens({ tokens, uses, shown, origin, nowMs }: TokensProps) {
  const { base } = usePlace();
  const token = shown?.asked === "add-token" ? shown.secrets[0] : undefined;
  return (
    <SettingsSection
      id="tokens"
      name="API tokens"
      says="By these programs read and decide, in this project alone. No token changes settings or makes another one."
    >
      {token !== undefined && (
        <Once
          name="The token"
          says="Copy it now: only its hash is kept, and nobody can show it again."
          text={token}
          what="the token"
        >
          <p>It asks for the newest issues like this:</p>
          <CopyLine
            text={`curl -H 'Authorization: Bearer ${token}' ${origin}${base}/issues.json`}
            what="the line for a terminal"
          />
        </Once>
      )}
      {tokens.length === 0 ? (
        <p className="aside">No tokens yet.</p>
      ) : (
        <Boundary name="tokens" loading={<Skeleton shape="receipt" label="the tokens" />}>
          <TokenList tokens={tokens} uses={uses} nowMs={nowMs} />
        </Boundary>
      )}
      {tokens.length < limits.maxTokensPerProject && <NewToken />}
    </SettingsSection>
  );
}

function TokenList({ tokens, uses, nowMs }: Pick<TokensProps, "tokens" | "uses" | "nowMs">) {
  const used = use(uses);
  return (
    <ul className="entries">
      {tokens.map(({ id, name, role, by, createdMs, endsMs }) => {
        const usedMs = used[id];
        const hasEnded = endsMs !== undefined && endsMs <= nowMs;
        return (
          <Entry
            key={id}
            name={<bdi>{name}</bdi>}
            mark={hasEnded && <span className="mark">ended</span>}
            facts={[
              roleWord(role),
              usedMs === undefined ? (
                "not used yet"
              ) : (
                <>
                  last used <Time atMs={usedMs} nowMs={nowMs} />
                </>
              ),
              endsMs === undefined ? (
                "good until it is revoked"
              ) : (
                <>
                  {hasEnded ? "ended " : "good until "}
                  <Until atMs={endsMs} nowMs={nowMs} />
                </>
              ),
              <>
                made <Time atMs={createdMs} nowMs={nowMs} />
                {by !== "" && (
                  <>
                    {" "}
                    by <bdi>{by}</bdi>
                  </>
                )}
              </>,
            ]}
          >
            <Form needs="owner" method="post" action={ACTION} className="entry-acts">
              <input type="hidden" name="do" value="revoke-token" />
              <input type="hidden" name="token" value={id} />
              <button type="submit" className="danger" aria-label={`Revoke ${name}`}>
                Revoke
              </button>
            </Form>
          </Entry>
        );
      })}
    </ul>
  );
}

function NewToken() {
  return (
    <details className="adder">
      <summary>Make a token</summary>
      <Form needs="owner" method="post" action={ACTION} className="asking">
        <input type="hidden" name="do" value="add-token" />
        <label>
          <span>Name: what uses it</span>
          <input
            name="name"
            type="text"
            required
            maxLength={limits.maxProjectNameChars}
            placeholder="Nightly report"
            autoComplete="off"
            dir="auto"
          />
        </label>
        <RoleSelect chosen="viewer" label="Role" words={WORDS} />
        <label>
          <span>Good for</span>
          <select name="days" defaultValue="90">
            <option value="7">7 days</option>
            <option value="30">30 days</option>
            <option value="90">90 days</option>
            <option value="365">a year</option>
            <option value="">until it is revoked</option>
          </select>
        </label>
        <button type="submit" id="add-token">
          Make token
        </button>
      </Form>
    </details>
  );
}
