/** The sentences for visitors in Czech. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const cs: VisitorTexts = {
  failed: "Chyba aplikace: na této stránce došlo k chybě (více informací v konzoli prohlížeče)",
  digest: "Kód chyby",
  copy: "Kopírovat",
  copied: "Zkopírováno",
  checkStatus: "Zobrazit stav této chyby",
  tryAgain: "Zkusit znovu",
  homePage: "Přejít na úvodní stránku",
  includeDigest: "Při nahlášení chyby uveďte kód. Označuje přesně tuto chybu.",
  receipt: "Potvrzení o chybě",
  knownTitle: "Víme o ní.",
  knownText: "Chyba byla zaznamenána a tým tohoto webu ji vidí. Nemusíte nic dělat.",
  pendingTitle: "Oprava je na cestě.",
  pendingText: "Problém jsme našli a oprava brzy vyjde. Do té doby se chyba může opakovat.",
  fixedTitle: "Chyba je opravena.",
  fixedText:
    "Problém jsme našli a opravili. Načtěte znovu stránku, kde k chybě došlo. Pokud tento kód uvidíte znovu, napište nám níže.",
  stepRecorded: "Zaznamenáno",
  stepInProgress: "Řeší se",
  stepFixed: "Opraveno",
  firstSeen: "Poprvé",
  seenThisWeek: "Výskyty tento týden",
  unknownTitle: "Tento kód zatím není znám.",
  unknownText:
    "Pokud k chybě právě došlo, počkejte minutu a načtěte tuto stránku znovu. Jinak porovnejte kód se zobrazeným: záleží na každém znaku. Staré chyby se po čase mažou.",
  waitTitle: "Okamžik, prosím.",
  waitText: "Příliš mnoho požadavků z vaší sítě. Načtěte tuto stránku za minutu znovu.",
  question: "Co jste právě dělali?",
  questionHint: "Pomůže to najít příčinu. Neuvádějte hesla ani čísla karet.",
  send: "Odeslat",
  thanks: "Děkujeme. Váš komentář byl odeslán týmu tohoto webu.",
  tooManyComments:
    "Komentář nebyl odeslán: příliš mnoho komentářů z vaší sítě. Zkuste to znovu za minutu.",
  badComment: "Komentář nebyl odeslán. Zadejte nejméně 1 a nejvýše {max} znaků.",
  commentFailed:
    "Komentář nebyl kvůli dočasnému problému odeslán. Váš text zde zůstal. Zkuste to znovu.",
  tell: "Dejte mi vědět, až bude chyba opravena",
  tellHint:
    "Zadejte svou e-mailovou adresu. Jedna zpráva vás požádá o její potvrzení, druhá oznámí opravu. Potom bude adresa smazána.",
  tellAsked:
    "Pokud tato adresa může přijímat poštu, odkaz je na cestě. Otevřete ho do jednoho dne.",
  tellConfirmed: "Až bude chyba opravena, dostanete jednu zprávu.",
  tellWithdraw: "Smazat mou adresu",
  tellExpired: "Tento odkaz už nefunguje.",
  tellFailed: "Nepovedlo se to. Zkontrolujte adresu, nebo to zkuste znovu zítra.",
  mailAsk: "Otevřete tento odkaz, pokud chcete vědět, až bude chyba {digest} opravena:",
  mailIgnore: "Pokud jste o to nežádali, zprávu ignorujte.",
  mailFixed: "Chyba {digest} je opravena.",
  mailDeleted: "Vaše adresa byla smazána. Další zpráva nepřijde.",
};
