/** The sentences for visitors in English. */
import { NOTICE_SENTENCE } from "../../notice-sentence.ts";
import type { VisitorTexts } from "./visitor-texts.ts";

export const en: VisitorTexts = {
  failed: NOTICE_SENTENCE,
  digest: "Digest",
  copy: "Copy",
  copied: "Copied",
  checkStatus: "Check the status of this error",
  tryAgain: "Try again",
  homePage: "Go to the home page",
  includeDigest: "When you report this, include the digest. It identifies this exact error.",
  receipt: "Receipt for the error",
  knownTitle: "We know about it.",
  knownText:
    "The error was recorded, and the team that runs this site can see it. You do not need to do anything.",
  pendingTitle: "A fix is on its way.",
  pendingText:
    "We found the problem, and a fix will be released soon. Until then, the error can happen again.",
  fixedTitle: "It is fixed.",
  fixedText:
    "We found the problem and fixed it. Reload the page where it happened. If you see this digest again, please tell us below.",
  stepRecorded: "Recorded",
  stepInProgress: "In progress",
  stepFixed: "Fixed",
  firstSeen: "First seen",
  seenThisWeek: "Seen this week",
  unknownTitle: "This code is not known yet.",
  unknownText:
    "If the error just happened, wait a minute and reload this page. Otherwise compare the code with the one you were shown: every character matters. Old errors are deleted after a while.",
  waitTitle: "One moment, please.",
  waitText: "Too many requests from your network. Please reload this page in a minute.",
  question: "What were you doing?",
  questionHint: "This helps to find the cause. Do not include passwords or card numbers.",
  send: "Send",
  thanks: "Thank you. Your comment was sent to the team that runs this site.",
  tooManyComments:
    "Comment not sent: too many comments from your network. Please try again in a minute.",
  badComment: "Comment not sent. Please enter at least 1 and at most {max} characters.",
  commentFailed:
    "Comment not sent because of a temporary problem. Your text is still here. Please try again.",
  tell: "Tell me when it is fixed",
  tellHint:
    "Enter your email address. One mail asks you to confirm it, one tells you that the error is fixed. Then the address is deleted.",
  tellAsked: "If this address can receive mail, a link is on its way. Open it within a day.",
  tellConfirmed: "You get one mail when the error is fixed.",
  tellWithdraw: "Delete my address",
  tellExpired: "This link no longer works.",
  tellFailed: "That did not work. Check the address, or try again tomorrow.",
  mailAsk: "Open this link if you want to be told when the error {digest} is fixed:",
  mailIgnore: "If you did not ask for this, ignore this mail.",
  mailFixed: "The error {digest} is fixed.",
  mailDeleted: "Your address was deleted. No other mail follows.",
};
