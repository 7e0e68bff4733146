/**
 * The two mails to a visitor who wants to be told that an error is fixed: the question whether the
 * address is right, and the message. They name the digest and Errata's own links, and nothing that
 * a report or a stranger wrote. Pure.
 */
import { escapeMarkup } from "../alerts/formats/inert-text.ts";
import type { EmailBody } from "../alerts/formats/mail/email-body.ts";
import type { Visitor } from "./languages/visitor-texts.ts";

/** The facts in both mails. */
interface MailFacts {
  readonly digest: string;
  readonly visitor: Visitor;
  /** The link that confirms the request, or that to the receipt. */
  readonly link: string;
}

/** Asks whether the address is right. */
export function createQuestionMail({ digest, visitor, link }: MailFacts): EmailBody {
  const { tell, mailAsk, mailIgnore } = visitor.texts;
  return createMail(visitor, `${tell} (${digest})`, [fill(mailAsk, digest), link, mailIgnore]);
}

/** Says that the error is fixed. */
export function createFixedMail({ digest, visitor, link }: MailFacts): EmailBody {
  const { mailFixed, mailDeleted } = visitor.texts;
  const subject = fill(mailFixed, digest);
  return createMail(visitor, subject, [subject, link, mailDeleted]);
}

function fill(sentence: string, digest: string): string {
  return sentence.replace("{digest}", () => digest);
}

/** A mail of a sentence, a link and a sentence. */
function createMail(
  { language, direction }: Visitor,
  subject: string,
  [before, link, after]: readonly [before: string, link: string, after: string],
): EmailBody {
  const url = escapeMarkup(link);
  const paragraphs = [escapeMarkup(before), `<a href="${url}">${url}</a>`, escapeMarkup(after)];
  const html = paragraphs.map((text) => `<p>${text}</p>`).join("");
  return {
    subject,
    text: `${before}\n\n${link}\n\n${after}\n`,
    html: `<div lang="${language}" dir="${direction}">${html}</div>`,
    headers: {},
  };
}
