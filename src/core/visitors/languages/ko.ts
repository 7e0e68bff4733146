/** The sentences for visitors in Korean. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const ko: VisitorTexts = {
  failed:
    "애플리케이션 오류: 이 페이지에서 오류가 발생했습니다(자세한 내용은 브라우저 콘솔을 확인하세요)",
  digest: "오류 코드",
  copy: "복사",
  copied: "복사됨",
  checkStatus: "이 오류의 상태 보기",
  tryAgain: "다시 시도",
  homePage: "홈페이지로 이동",
  includeDigest: "오류를 신고할 때 코드를 함께 적어 주세요. 바로 이 오류를 나타냅니다.",
  receipt: "오류 접수증",
  knownTitle: "이 오류를 알고 있습니다.",
  knownText: "오류가 기록되었으며 이 사이트의 담당 팀이 볼 수 있습니다. 따로 하실 일은 없습니다.",
  pendingTitle: "수정이 진행 중입니다.",
  pendingText: "문제를 찾았으며 곧 수정이 배포됩니다. 그때까지 오류가 다시 발생할 수 있습니다.",
  fixedTitle: "수정되었습니다.",
  fixedText:
    "문제를 찾아 수정했습니다. 오류가 발생한 페이지를 새로 고치세요. 이 코드가 다시 보이면 아래에서 알려 주세요.",
  stepRecorded: "기록됨",
  stepInProgress: "진행 중",
  stepFixed: "수정됨",
  firstSeen: "처음 발생",
  seenThisWeek: "이번 주 발생 횟수",
  unknownTitle: "아직 알 수 없는 코드입니다.",
  unknownText:
    "방금 오류가 발생했다면 1분 뒤에 이 페이지를 새로 고치세요. 그렇지 않으면 표시된 코드와 비교해 보세요. 모든 글자가 중요합니다. 오래된 오류는 일정 기간 후 삭제됩니다.",
  waitTitle: "잠시만 기다려 주세요.",
  waitText: "사용 중인 네트워크에서 요청이 너무 많습니다. 1분 뒤에 이 페이지를 새로 고치세요.",
  question: "무엇을 하고 계셨나요?",
  questionHint: "원인을 찾는 데 도움이 됩니다. 비밀번호나 카드 번호는 적지 마세요.",
  send: "보내기",
  thanks: "감사합니다. 의견을 이 사이트의 담당 팀에 보냈습니다.",
  tooManyComments:
    "의견을 보내지 못했습니다. 사용 중인 네트워크에서 의견이 너무 많습니다. 1분 뒤에 다시 시도하세요.",
  badComment: "의견을 보내지 못했습니다. 1자 이상 {max}자 이하로 입력하세요.",
  commentFailed:
    "일시적인 문제로 의견을 보내지 못했습니다. 입력한 내용은 그대로 있습니다. 다시 시도하세요.",
  tell: "수정되면 알려 주세요",
  tellHint:
    "이메일 주소를 입력하세요. 주소 확인 메일 한 통과 수정 알림 메일 한 통을 보내 드립니다. 그 후 주소는 삭제됩니다.",
  tellAsked: "이 주소로 메일을 받을 수 있다면 링크를 보내 드립니다. 하루 안에 열어 주세요.",
  tellConfirmed: "오류가 수정되면 메일 한 통을 보내 드립니다.",
  tellWithdraw: "내 주소 삭제",
  tellExpired: "이 링크는 더 이상 작동하지 않습니다.",
  tellFailed: "처리되지 않았습니다. 주소를 확인하거나 내일 다시 시도하세요.",
  mailAsk: "오류 {digest}의 수정 소식을 받으려면 이 링크를 여세요:",
  mailIgnore: "요청하지 않으셨다면 이 메일을 무시하세요.",
  mailFixed: "오류 {digest}이(가) 수정되었습니다.",
  mailDeleted: "주소가 삭제되었습니다. 다른 메일은 보내지 않습니다.",
};
