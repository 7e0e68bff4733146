/** The sentences for visitors in Italian. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const it: VisitorTexts = {
  failed:
    "Errore dell’applicazione: si è verificato un errore in questa pagina (maggiori informazioni nella console del browser)",
  digest: "Codice dell’errore",
  copy: "Copia",
  copied: "Copiato",
  checkStatus: "Vedi lo stato di questo errore",
  tryAgain: "Riprova",
  homePage: "Vai alla pagina iniziale",
  includeDigest:
    "Se segnala questo errore, indichi il codice. Identifica esattamente questo errore.",
  receipt: "Ricevuta per l’errore",
  knownTitle: "Ne siamo a conoscenza.",
  knownText:
    "L’errore è stato registrato e il team di questo sito può vederlo. Non deve fare nulla.",
  pendingTitle: "La correzione è in arrivo.",
  pendingText:
    "Abbiamo trovato il problema e presto sarà pubblicata una correzione. Fino ad allora l’errore può ripetersi.",
  fixedTitle: "È stato corretto.",
  fixedText:
    "Abbiamo trovato il problema e l’abbiamo corretto. Ricarichi la pagina in cui si è verificato. Se rivede questo codice, ce lo dica qui sotto.",
  stepRecorded: "Registrato",
  stepInProgress: "In corso",
  stepFixed: "Corretto",
  firstSeen: "Visto la prima volta",
  seenThisWeek: "Visto questa settimana",
  unknownTitle: "Questo codice non è ancora noto.",
  unknownText:
    "Se l’errore si è appena verificato, attenda un minuto e ricarichi questa pagina. Altrimenti confronti il codice con quello mostrato: ogni carattere conta. Gli errori vecchi vengono eliminati dopo qualche tempo.",
  waitTitle: "Un momento, per favore.",
  waitText: "Troppe richieste dalla sua rete. Ricarichi questa pagina tra un minuto.",
  question: "Che cosa stava facendo?",
  questionHint: "Questo aiuta a trovare la causa. Non indichi password o numeri di carta.",
  send: "Invia",
  thanks: "Grazie. Il suo commento è stato inviato al team di questo sito.",
  tooManyComments: "Commento non inviato: troppi commenti dalla sua rete. Riprovi tra un minuto.",
  badComment: "Commento non inviato. Inserisca almeno 1 e al massimo {max} caratteri.",
  commentFailed: "Commento non inviato per un problema temporaneo. Il testo è ancora qui. Riprovi.",
  tell: "Avvisatemi quando è corretto",
  tellHint:
    "Inserisca il suo indirizzo email. Un messaggio le chiede di confermarlo, un altro le comunica la correzione. Poi l’indirizzo viene cancellato.",
  tellAsked:
    "Se questo indirizzo può ricevere email, un link è in arrivo. Lo apra entro un giorno.",
  tellConfirmed: "Riceverà un messaggio quando l’errore sarà corretto.",
  tellWithdraw: "Cancella il mio indirizzo",
  tellExpired: "Questo link non funziona più.",
  tellFailed: "Non ha funzionato. Controlli l’indirizzo o riprovi domani.",
  mailAsk: "Apra questo link se vuole sapere quando l’errore {digest} sarà corretto:",
  mailIgnore: "Se non lo ha chiesto, ignori questo messaggio.",
  mailFixed: "L’errore {digest} è stato corretto.",
  mailDeleted: "Il suo indirizzo è stato cancellato. Non seguiranno altri messaggi.",
};
