/** The sentences for visitors in Dutch. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const nl: VisitorTexts = {
  failed:
    "Fout in de toepassing: op deze pagina is een fout opgetreden (meer informatie in de console van de browser)",
  digest: "Foutcode",
  copy: "Kopiëren",
  copied: "Gekopieerd",
  checkStatus: "Status van deze fout bekijken",
  tryAgain: "Opnieuw proberen",
  homePage: "Naar de startpagina",
  includeDigest: "Vermeld de code als u deze fout meldt. De code hoort bij precies deze fout.",
  receipt: "Ontvangstbewijs voor de fout",
  knownTitle: "We weten ervan.",
  knownText: "De fout is vastgelegd en het team van deze site kan hem zien. U hoeft niets te doen.",
  pendingTitle: "Er is een oplossing onderweg.",
  pendingText:
    "We hebben het probleem gevonden en er komt snel een oplossing. Tot die tijd kan de fout weer optreden.",
  fixedTitle: "De fout is opgelost.",
  fixedText:
    "We hebben het probleem gevonden en opgelost. Laad de pagina waar het gebeurde opnieuw. Ziet u deze code nog eens, laat het ons dan hieronder weten.",
  stepRecorded: "Vastgelegd",
  stepInProgress: "In behandeling",
  stepFixed: "Opgelost",
  firstSeen: "Voor het eerst gezien",
  seenThisWeek: "Deze week gezien",
  unknownTitle: "Deze code is nog niet bekend.",
  unknownText:
    "Is de fout net opgetreden, wacht dan een minuut en laad deze pagina opnieuw. Vergelijk anders de code met de getoonde: elk teken telt. Oude fouten worden na een tijd verwijderd.",
  waitTitle: "Een ogenblik geduld.",
  waitText: "Te veel verzoeken vanuit uw netwerk. Laad deze pagina over een minuut opnieuw.",
  question: "Wat was u aan het doen?",
  questionHint: "Dit helpt om de oorzaak te vinden. Vermeld geen wachtwoorden of kaartnummers.",
  send: "Versturen",
  thanks: "Bedankt. Uw opmerking is verstuurd naar het team van deze site.",
  tooManyComments:
    "Opmerking niet verstuurd: te veel opmerkingen vanuit uw netwerk. Probeer het over een minuut opnieuw.",
  badComment: "Opmerking niet verstuurd. Voer minimaal 1 en maximaal {max} tekens in.",
  commentFailed:
    "Opmerking niet verstuurd door een tijdelijk probleem. Uw tekst staat er nog. Probeer het opnieuw.",
  tell: "Laat mij weten wanneer het is opgelost",
  tellHint:
    "Vul uw e-mailadres in. Eén bericht vraagt u het te bevestigen, één meldt dat de fout is opgelost. Daarna wordt het adres verwijderd.",
  tellAsked:
    "Als dit adres e-mail kan ontvangen, is er een link onderweg. Open die binnen een dag.",
  tellConfirmed: "U krijgt één bericht wanneer de fout is opgelost.",
  tellWithdraw: "Mijn adres verwijderen",
  tellExpired: "Deze link werkt niet meer.",
  tellFailed: "Dat is niet gelukt. Controleer het adres of probeer het morgen opnieuw.",
  mailAsk: "Open deze link als u wilt weten wanneer de fout {digest} is opgelost:",
  mailIgnore: "Hebt u hier niet om gevraagd, negeer dit bericht dan.",
  mailFixed: "De fout {digest} is opgelost.",
  mailDeleted: "Uw adres is verwijderd. Er volgt geen ander bericht.",
};
