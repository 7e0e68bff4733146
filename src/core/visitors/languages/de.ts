/** The sentences for visitors in German. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const de: VisitorTexts = {
  failed:
    "Anwendungsfehler: Auf dieser Seite ist ein Fehler aufgetreten (mehr dazu in der Konsole des Browsers)",
  digest: "Fehlercode",
  copy: "Kopieren",
  copied: "Kopiert",
  checkStatus: "Stand dieses Fehlers ansehen",
  tryAgain: "Noch einmal versuchen",
  homePage: "Zur Startseite",
  includeDigest:
    "Geben Sie den Code an, wenn Sie den Fehler melden. Er bezeichnet genau diesen Fehler.",
  receipt: "Beleg für den Fehler",
  knownTitle: "Wir wissen davon.",
  knownText:
    "Der Fehler wurde aufgezeichnet, und das Team dieser Website kann ihn sehen. Sie müssen nichts tun.",
  pendingTitle: "Eine Lösung ist unterwegs.",
  pendingText:
    "Wir haben das Problem gefunden, und eine Korrektur erscheint bald. Bis dahin kann der Fehler wieder auftreten.",
  fixedTitle: "Der Fehler ist behoben.",
  fixedText:
    "Wir haben das Problem gefunden und behoben. Laden Sie die betroffene Seite neu. Wenn Sie diesen Code noch einmal sehen, sagen Sie es uns bitte unten.",
  stepRecorded: "Aufgezeichnet",
  stepInProgress: "In Arbeit",
  stepFixed: "Behoben",
  firstSeen: "Zuerst gesehen",
  seenThisWeek: "In dieser Woche gesehen",
  unknownTitle: "Dieser Code ist noch nicht bekannt.",
  unknownText:
    "Wenn der Fehler gerade erst aufgetreten ist, warten Sie eine Minute und laden Sie diese Seite neu. Vergleichen Sie sonst den Code mit dem angezeigten: Jedes Zeichen zählt. Alte Fehler werden nach einiger Zeit gelöscht.",
  waitTitle: "Einen Moment bitte.",
  waitText: "Zu viele Anfragen aus Ihrem Netz. Bitte laden Sie diese Seite in einer Minute neu.",
  question: "Was haben Sie gerade gemacht?",
  questionHint: "Das hilft, die Ursache zu finden. Nennen Sie keine Passwörter oder Kartennummern.",
  send: "Senden",
  thanks: "Vielen Dank. Ihr Kommentar wurde an das Team dieser Website gesendet.",
  tooManyComments:
    "Kommentar nicht gesendet: zu viele Kommentare aus Ihrem Netz. Bitte versuchen Sie es in einer Minute noch einmal.",
  badComment:
    "Kommentar nicht gesendet. Bitte geben Sie mindestens 1 und höchstens {max} Zeichen ein.",
  commentFailed:
    "Kommentar wegen eines vorübergehenden Problems nicht gesendet. Ihr Text ist noch da. Bitte versuchen Sie es noch einmal.",
  tell: "Sagen Sie mir, wenn der Fehler behoben ist",
  tellHint:
    "Geben Sie Ihre E-Mail-Adresse ein. Eine Mail bittet Sie, sie zu bestätigen, eine meldet, dass der Fehler behoben ist. Danach wird die Adresse gelöscht.",
  tellAsked:
    "Wenn diese Adresse Mails empfangen kann, ist ein Link unterwegs. Öffnen Sie ihn innerhalb eines Tages.",
  tellConfirmed: "Sie bekommen eine Mail, wenn der Fehler behoben ist.",
  tellWithdraw: "Meine Adresse löschen",
  tellExpired: "Dieser Link funktioniert nicht mehr.",
  tellFailed:
    "Das hat nicht geklappt. Prüfen Sie die Adresse, oder versuchen Sie es morgen noch einmal.",
  mailAsk:
    "Öffnen Sie diesen Link, wenn Sie erfahren möchten, wann der Fehler {digest} behoben ist:",
  mailIgnore: "Wenn Sie nicht darum gebeten haben, ignorieren Sie diese Mail.",
  mailFixed: "Der Fehler {digest} ist behoben.",
  mailDeleted: "Ihre Adresse wurde gelöscht. Es folgt keine weitere Mail.",
};
