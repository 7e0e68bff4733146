/** The sentences for visitors in Polish. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const pl: VisitorTexts = {
  failed: "Błąd aplikacji: na tej stronie wystąpił błąd (więcej informacji w konsoli przeglądarki)",
  digest: "Kod błędu",
  copy: "Kopiuj",
  copied: "Skopiowano",
  checkStatus: "Sprawdź stan tego błędu",
  tryAgain: "Spróbuj ponownie",
  homePage: "Przejdź do strony głównej",
  includeDigest: "Zgłaszając ten błąd, podaj kod. Oznacza on dokładnie ten błąd.",
  receipt: "Potwierdzenie błędu",
  knownTitle: "Wiemy o tym.",
  knownText: "Błąd został zapisany i widzi go zespół tej witryny. Nie musisz nic robić.",
  pendingTitle: "Poprawka jest w drodze.",
  pendingText:
    "Znaleźliśmy problem i wkrótce opublikujemy poprawkę. Do tego czasu błąd może się powtórzyć.",
  fixedTitle: "Błąd jest naprawiony.",
  fixedText:
    "Znaleźliśmy problem i go naprawiliśmy. Odśwież stronę, na której wystąpił. Jeśli znów zobaczysz ten kod, napisz nam o tym poniżej.",
  stepRecorded: "Zapisany",
  stepInProgress: "W toku",
  stepFixed: "Naprawiony",
  firstSeen: "Po raz pierwszy",
  seenThisWeek: "Wystąpienia w tym tygodniu",
  unknownTitle: "Ten kod nie jest jeszcze znany.",
  unknownText:
    "Jeśli błąd dopiero wystąpił, poczekaj minutę i odśwież tę stronę. W przeciwnym razie porównaj kod z wyświetlonym: liczy się każdy znak. Stare błędy są po pewnym czasie usuwane.",
  waitTitle: "Chwileczkę.",
  waitText: "Zbyt wiele żądań z Twojej sieci. Odśwież tę stronę za minutę.",
  question: "Co chciałeś lub chciałaś zrobić?",
  questionHint: "To pomaga znaleźć przyczynę. Nie podawaj haseł ani numerów kart.",
  send: "Wyślij",
  thanks: "Dziękujemy. Twój komentarz został wysłany do zespołu tej witryny.",
  tooManyComments:
    "Komentarz nie został wysłany: zbyt wiele komentarzy z Twojej sieci. Spróbuj ponownie za minutę.",
  badComment: "Komentarz nie został wysłany. Wpisz od 1 do {max} znaków.",
  commentFailed:
    "Komentarz nie został wysłany z powodu chwilowego problemu. Twój tekst nadal tu jest. Spróbuj ponownie.",
  tell: "Powiadomcie mnie, gdy błąd zostanie naprawiony",
  tellHint:
    "Podaj swój adres e-mail. Jedna wiadomość poprosi o jego potwierdzenie, druga powiadomi o naprawie. Potem adres zostanie usunięty.",
  tellAsked:
    "Jeśli ten adres może odbierać pocztę, link jest już w drodze. Otwórz go w ciągu doby.",
  tellConfirmed: "Otrzymasz jedną wiadomość, gdy błąd zostanie naprawiony.",
  tellWithdraw: "Usuń mój adres",
  tellExpired: "Ten link już nie działa.",
  tellFailed: "Nie udało się. Sprawdź adres lub spróbuj ponownie jutro.",
  mailAsk: "Otwórz ten link, jeśli chcesz wiedzieć, kiedy błąd {digest} zostanie naprawiony:",
  mailIgnore: "Jeśli to nie Twoja prośba, zignoruj tę wiadomość.",
  mailFixed: "Błąd {digest} jest naprawiony.",
  mailDeleted: "Twój adres został usunięty. Nie będzie kolejnych wiadomości.",
};
