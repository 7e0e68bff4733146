/** The sentences for visitors in Japanese. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const ja: VisitorTexts = {
  failed:
    "アプリケーションエラー：このページでエラーが発生しました（詳細はブラウザーのコンソールをご覧ください）",
  digest: "エラーコード",
  copy: "コピー",
  copied: "コピーしました",
  checkStatus: "このエラーの状況を見る",
  tryAgain: "もう一度試す",
  homePage: "ホームページへ",
  includeDigest: "エラーを報告するときはコードを添えてください。このエラーを正確に示します。",
  receipt: "エラーの受付票",
  knownTitle: "このエラーは把握しています。",
  knownText:
    "エラーは記録され、このサイトの担当チームが確認できます。お客様の操作は必要ありません。",
  pendingTitle: "修正を準備しています。",
  pendingText:
    "問題を特定しました。まもなく修正を公開します。それまではエラーが再び起こることがあります。",
  fixedTitle: "修正されました。",
  fixedText:
    "問題を特定し、修正しました。エラーが起きたページを再読み込みしてください。このコードが再び表示されたら、下記からお知らせください。",
  stepRecorded: "記録済み",
  stepInProgress: "対応中",
  stepFixed: "修正済み",
  firstSeen: "最初の発生",
  seenThisWeek: "今週の発生回数",
  unknownTitle: "このコードはまだ登録されていません。",
  unknownText:
    "エラーが起きた直後の場合は、1分待ってからこのページを再読み込みしてください。それ以外の場合は、表示されたコードと一文字ずつ見比べてください。古いエラーは一定期間後に削除されます。",
  waitTitle: "少々お待ちください。",
  waitText:
    "お使いのネットワークからのリクエストが多すぎます。1分後にこのページを再読み込みしてください。",
  question: "何をしていましたか？",
  questionHint: "原因の特定に役立ちます。パスワードやカード番号は書かないでください。",
  send: "送信",
  thanks: "ありがとうございます。コメントをこのサイトの担当チームに送信しました。",
  tooManyComments:
    "コメントを送信できませんでした。お使いのネットワークからのコメントが多すぎます。1分後にもう一度お試しください。",
  badComment: "コメントを送信できませんでした。1文字以上{max}文字以内で入力してください。",
  commentFailed:
    "一時的な問題のためコメントを送信できませんでした。入力内容は残っています。もう一度お試しください。",
};
