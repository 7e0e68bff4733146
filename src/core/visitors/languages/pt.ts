/** The sentences for visitors in Portuguese. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const pt: VisitorTexts = {
  failed:
    "Erro da aplicação: ocorreu um erro nesta página (mais informações no console do navegador)",
  digest: "Código do erro",
  copy: "Copiar",
  copied: "Copiado",
  checkStatus: "Ver a situação deste erro",
  tryAgain: "Tentar de novo",
  homePage: "Ir para a página inicial",
  includeDigest: "Ao relatar este erro, inclua o código. Ele identifica exatamente este erro.",
  receipt: "Recibo do erro",
  knownTitle: "Já sabemos disso.",
  knownText: "O erro foi registrado e a equipe deste site pode vê-lo. Você não precisa fazer nada.",
  pendingTitle: "A correção está a caminho.",
  pendingText:
    "Encontramos o problema e uma correção será publicada em breve. Até lá, o erro pode se repetir.",
  fixedTitle: "Está corrigido.",
  fixedText:
    "Encontramos o problema e o corrigimos. Recarregue a página onde ele ocorreu. Se vir este código de novo, conte-nos abaixo.",
  stepRecorded: "Registrado",
  stepInProgress: "Em andamento",
  stepFixed: "Corrigido",
  firstSeen: "Visto pela primeira vez",
  seenThisWeek: "Visto esta semana",
  unknownTitle: "Este código ainda não é conhecido.",
  unknownText:
    "Se o erro acabou de ocorrer, espere um minuto e recarregue esta página. Caso contrário, compare o código com o que foi mostrado: cada caractere importa. Erros antigos são apagados depois de algum tempo.",
  waitTitle: "Um momento, por favor.",
  waitText: "Muitas solicitações da sua rede. Recarregue esta página daqui a um minuto.",
  question: "O que você estava fazendo?",
  questionHint: "Isso ajuda a encontrar a causa. Não inclua senhas nem números de cartão.",
  send: "Enviar",
  thanks: "Obrigado. Seu comentário foi enviado à equipe deste site.",
  tooManyComments:
    "Comentário não enviado: muitos comentários da sua rede. Tente de novo daqui a um minuto.",
  badComment: "Comentário não enviado. Escreva pelo menos 1 e no máximo {max} caracteres.",
  commentFailed:
    "Comentário não enviado por um problema temporário. Seu texto ainda está aqui. Tente de novo.",
  tell: "Avisem-me quando estiver corrigido",
  tellHint:
    "Introduza o seu endereço de e-mail. Uma mensagem pede que o confirme e outra avisa da correção. Depois o endereço é apagado.",
  tellAsked:
    "Se este endereço puder receber e-mail, uma ligação está a caminho. Abra-a no prazo de um dia.",
  tellConfirmed: "Receberá uma mensagem quando o erro estiver corrigido.",
  tellWithdraw: "Apagar o meu endereço",
  tellExpired: "Esta ligação já não funciona.",
  tellFailed: "Não funcionou. Verifique o endereço ou tente de novo amanhã.",
  mailAsk: "Abra esta ligação se quiser saber quando o erro {digest} estiver corrigido:",
  mailIgnore: "Se não pediu isto, ignore esta mensagem.",
  mailFixed: "O erro {digest} está corrigido.",
  mailDeleted: "O seu endereço foi apagado. Não receberá mais mensagens.",
};
