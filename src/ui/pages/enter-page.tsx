/** Where people come in: by a passkey, or by a code. */

/** What the page is made of. */
export interface EnterPageProps {
  /** The path that it leads to. */
  readonly to: string;
  /** Who has entered already; an invitation makes him a member of another project. */
  readonly name?: string | undefined;
}

/** The page at `/enter`. */
export function EnterPage({ to, name }: EnterPageProps) {
  return (
    <div className="slip-page">
      <section className="slip enter" data-enter="">
        <h1>Sign in</h1>
        {name !== undefined && <p>You are signed in as {name}.</p>}
        <form method="post" action="/enter">
          <label>
            Code <input name="code" autoComplete="off" required maxLength={200} />
          </label>
          <label>
            Your name <input name="name" autoComplete="name" maxLength={60} />
          </label>
          <input type="hidden" name="to" value={to} />
          <button type="submit">Enter</button>
        </form>
      </section>
    </div>
  );
}
