/** The sentences for visitors in Spanish. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const es: VisitorTexts = {
  failed:
    "Error de la aplicación: se ha producido un error en esta página (más información en la consola del navegador)",
  digest: "Código de error",
  copy: "Copiar",
  copied: "Copiado",
  checkStatus: "Ver el estado de este error",
  tryAgain: "Volver a intentarlo",
  homePage: "Ir a la página de inicio",
  includeDigest: "Si informa de este error, incluya el código. Identifica exactamente este error.",
  receipt: "Recibo del error",
  knownTitle: "Ya lo sabemos.",
  knownText:
    "El error se ha registrado y el equipo de este sitio puede verlo. No tiene que hacer nada.",
  pendingTitle: "La solución está en camino.",
  pendingText:
    "Hemos encontrado el problema y pronto se publicará una corrección. Hasta entonces, el error puede repetirse.",
  fixedTitle: "Está corregido.",
  fixedText:
    "Hemos encontrado el problema y lo hemos corregido. Recargue la página donde ocurrió. Si vuelve a ver este código, díganoslo abajo.",
  stepRecorded: "Registrado",
  stepInProgress: "En curso",
  stepFixed: "Corregido",
  firstSeen: "Visto por primera vez",
  seenThisWeek: "Visto esta semana",
  unknownTitle: "Este código aún no se conoce.",
  unknownText:
    "Si el error acaba de ocurrir, espere un minuto y recargue esta página. Si no, compare el código con el que se le mostró: cada carácter cuenta. Los errores antiguos se eliminan pasado un tiempo.",
  waitTitle: "Un momento, por favor.",
  waitText: "Demasiadas solicitudes desde su red. Recargue esta página dentro de un minuto.",
  question: "¿Qué estaba haciendo?",
  questionHint: "Esto ayuda a encontrar la causa. No incluya contraseñas ni números de tarjeta.",
  send: "Enviar",
  thanks: "Gracias. Su comentario se ha enviado al equipo de este sitio.",
  tooManyComments:
    "Comentario no enviado: demasiados comentarios desde su red. Inténtelo de nuevo dentro de un minuto.",
  badComment: "Comentario no enviado. Escriba al menos 1 y como máximo {max} caracteres.",
  commentFailed:
    "Comentario no enviado por un problema temporal. Su texto sigue aquí. Inténtelo de nuevo.",
  tell: "Avísenme cuando esté corregido",
  tellHint:
    "Escriba su dirección de correo. Un mensaje le pide que la confirme y otro le avisa de la corrección. Después se elimina la dirección.",
  tellAsked:
    "Si esta dirección puede recibir correo, hay un enlace en camino. Ábralo en el plazo de un día.",
  tellConfirmed: "Recibirá un mensaje cuando el error esté corregido.",
  tellWithdraw: "Eliminar mi dirección",
  tellExpired: "Este enlace ya no funciona.",
  tellFailed: "No ha funcionado. Compruebe la dirección o inténtelo de nuevo mañana.",
  mailAsk: "Abra este enlace si quiere saber cuándo se corrige el error {digest}:",
  mailIgnore: "Si no lo ha pedido, ignore este mensaje.",
  mailFixed: "El error {digest} está corregido.",
  mailDeleted: "Su dirección se ha eliminado. No recibirá más mensajes.",
};
