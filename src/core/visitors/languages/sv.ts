/** The sentences for visitors in Swedish. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const sv: VisitorTexts = {
  failed:
    "Programfel: ett fel har inträffat på den här sidan (mer information finns i webbläsarens konsol)",
  digest: "Felkod",
  copy: "Kopiera",
  copied: "Kopierat",
  checkStatus: "Se status för felet",
  tryAgain: "Försök igen",
  homePage: "Gå till startsidan",
  includeDigest: "Ange koden när du rapporterar felet. Den anger exakt detta fel.",
  receipt: "Kvitto för felet",
  knownTitle: "Vi känner till det.",
  knownText: "Felet har registrerats och webbplatsens team kan se det. Du behöver inte göra något.",
  pendingTitle: "En lösning är på väg.",
  pendingText:
    "Vi har hittat problemet och en rättning kommer snart. Tills dess kan felet inträffa igen.",
  fixedTitle: "Felet är åtgärdat.",
  fixedText:
    "Vi har hittat problemet och åtgärdat det. Ladda om sidan där det inträffade. Om du ser koden igen, berätta det för oss nedan.",
  stepRecorded: "Registrerat",
  stepInProgress: "Pågår",
  stepFixed: "Åtgärdat",
  firstSeen: "Först sett",
  seenThisWeek: "Sett den här veckan",
  unknownTitle: "Koden är inte känd än.",
  unknownText:
    "Om felet just inträffade, vänta en minut och ladda om den här sidan. Jämför annars koden med den som visades: varje tecken räknas. Gamla fel tas bort efter en tid.",
  waitTitle: "Ett ögonblick.",
  waitText: "För många förfrågningar från ditt nätverk. Ladda om sidan om en minut.",
  question: "Vad höll du på med?",
  questionHint: "Det hjälper oss att hitta orsaken. Ange inga lösenord eller kortnummer.",
  send: "Skicka",
  thanks: "Tack. Din kommentar har skickats till webbplatsens team.",
  tooManyComments:
    "Kommentaren skickades inte: för många kommentarer från ditt nätverk. Försök igen om en minut.",
  badComment: "Kommentaren skickades inte. Skriv minst 1 och högst {max} tecken.",
  commentFailed:
    "Kommentaren skickades inte på grund av ett tillfälligt problem. Din text finns kvar. Försök igen.",
  tell: "Meddela mig när felet är åtgärdat",
  tellHint:
    "Ange din e-postadress. Ett mejl ber dig bekräfta den, ett meddelar att felet är åtgärdat. Sedan raderas adressen.",
  tellAsked: "Om adressen kan ta emot e-post är en länk på väg. Öppna den inom ett dygn.",
  tellConfirmed: "Du får ett mejl när felet är åtgärdat.",
  tellWithdraw: "Radera min adress",
  tellExpired: "Länken fungerar inte längre.",
  tellFailed: "Det gick inte. Kontrollera adressen eller försök igen i morgon.",
  mailAsk: "Öppna länken om du vill få veta när felet {digest} är åtgärdat:",
  mailIgnore: "Om du inte har bett om detta kan du bortse från mejlet.",
  mailFixed: "Felet {digest} är åtgärdat.",
  mailDeleted: "Din adress har raderats. Inga fler mejl följer.",
};
