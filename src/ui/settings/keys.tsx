/** The ingest keys of a project: what each may, and how it is changed, rotated and revoked. */
import type { ReactNode } from "react";
import { limits } from "../../core/limits.ts";
import { FIRST_PROJECT, type IngestKey } from "../../core/registry/registry.ts";
import { dsnAt } from "../connect/recipe.ts";
import { figure } from "../figure.tsx";
import { Form } from "../place.tsx";
import { Time, Until } from "../time.tsx";
import { Entry } from "./entry.tsx";
import { KeyTerms } from "./key-terms.tsx";
import { CopyLine } from "./once.tsx";
import { Choice, SettingsSection } from "./section.tsx";

/** What the section is made of. */
export interface KeysProps {
  readonly keys: readonly Key[];
  /** The key of the configuration (`ERRATA_KEY`), which belongs to the first project and is changed by a deployment. */
  readonly ownKey?: string | undefined;
  /** `https://errata.example`. */
  readonly origin: string;
  readonly nowMs: number;
}

type Key = IngestKey & { readonly dsn: string };

/** Forms lead back to the section that they are in. */
const ACTION = "/settings#keys";

/** The section. */
export function Keys({ keys, ownKey, origin, nowMs }: KeysProps) {
  const isEmpty = keys.length === 0 && ownKey === undefined;
  return (
    <SettingsSection
      id="keys"
      name="Ingest keys"
      says="By these applications report here. A key is public by nature: it stands in pages, and lets nobody read anything."
    >
      {isEmpty && <p className="aside">No key yet: this project takes no reports.</p>}
      <ul className="entries">
        {ownKey !== undefined && (
          <OwnKey dsn={dsnAt({ origin, project: FIRST_PROJECT, key: ownKey })} />
        )}
        {keys.map((key) => (
          <KeyEntry key={key.id} of={key} nowMs={nowMs} />
        ))}
      </ul>
      {keys.length < limits.maxKeysPerProject && (
        <details className="adder" open={isEmpty}>
          <summary>Add a key</summary>
          <Form needs="owner" method="post" action={ACTION} className="asking">
            <input type="hidden" name="do" value="add-key" />
            <KeyTerms />
            <button type="submit" id="add-key">
              Add key
            </button>
          </Form>
        </details>
      )}
    </SettingsSection>
  );
}

/** The key of the configuration: it is good whatever becomes of the registry. */
function OwnKey({ dsn }: { dsn: string }) {
  return (
    <Entry
      name={<code>ERRATA_KEY</code>}
      facts={["All origins", "no limit of its own", "set by the deployment, and changed there"]}
    >
      <CopyLine text={dsn} what="the DSN of ERRATA_KEY" />
    </Entry>
  );
}

function KeyEntry({ of: key, nowMs }: { of: Key; nowMs: number }) {
  const { name, dsn, endsMs, createdMs } = key;
  const hasEnded = endsMs !== undefined && endsMs <= nowMs;
  return (
    <Entry
      name={<bdi>{name}</bdi>}
      mark={
        endsMs !== undefined && (
          <span className="mark">
            {hasEnded ? "ended " : "good until "}
            <Until atMs={endsMs} nowMs={nowMs} />
          </span>
        )
      }
      facts={[
        originsOf(key),
        key.perMinute === undefined
          ? "no limit of its own"
          : `${figure(key.perMinute)} requests a minute`,
        <>
          made <Time atMs={createdMs} nowMs={nowMs} />
        </>,
      ]}
    >
      <CopyLine text={dsn} what={`the DSN of the key ${name}`} />
      <details className="entry-more">
        <summary>
          Change, rotate or revoke<span className="unseen"> {name}</span>
        </summary>
        <div className="deeds">
          <Change of={key} />
          {!hasEnded && <Rotate of={key} />}
          <Revoke of={key} />
        </div>
      </details>
    </Entry>
  );
}

function originsOf({ origins }: Key) {
  if (origins.length === 0) return "All origins";
  return <bdi>{origins.join(", ")}</bdi>;
}

function Change({ of: key }: { of: Key }) {
  return (
    <Choice name="Change" says="Its name, its origins and its rate. The key itself stays as it is.">
      <KeyForm action="change-key" of={key}>
        <KeyTerms of={key} />
        <button type="submit">Save</button>
      </KeyForm>
    </Choice>
  );
}

function Rotate({ of: key }: { of: Key }) {
  return (
    <Choice
      name="Rotate"
      says="A new key with the same terms takes its place. This one stays good for a while, so that what is deployed with it goes on reporting."
    >
      <KeyForm action="rotate-key" of={key}>
        <label>
          <span>The old key stays good for</span>
          <select name="hours" defaultValue="24">
            <option value="1">an hour</option>
            <option value="24">a day</option>
            <option value="168">a week</option>
            <option value="720">30 days</option>
          </select>
        </label>
        <button type="submit">Rotate</button>
      </KeyForm>
    </Choice>
  );
}

function Revoke({ of: key }: { of: Key }) {
  return (
    <Choice
      name="Revoke"
      says="Within a minute nothing is taken by it any more, anywhere: senders are answered 401. It cannot be had again."
    >
      <KeyForm action="revoke-key" of={key}>
        <button type="submit" className="danger">
          Revoke
        </button>
      </KeyForm>
    </Choice>
  );
}

function KeyForm(props: { action: string; of: Key; children: ReactNode }) {
  return (
    <Form needs="owner" method="post" action={ACTION}>
      <input type="hidden" name="do" value={props.action} />
      <input type="hidden" name="key" value={props.of.id} />
      {props.children}
    </Form>
  );
}
