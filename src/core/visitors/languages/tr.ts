/** The sentences for visitors in Turkish. */
import type { VisitorTexts } from "./visitor-texts.ts";

export const tr: VisitorTexts = {
  failed: "Uygulama hatası: Bu sayfada bir hata oluştu (ayrıntılar tarayıcının konsolunda)",
  digest: "Hata kodu",
  copy: "Kopyala",
  copied: "Kopyalandı",
  checkStatus: "Bu hatanın durumunu gör",
  tryAgain: "Yeniden dene",
  homePage: "Ana sayfaya git",
  includeDigest: "Hatayı bildirirken kodu ekleyin. Kod tam olarak bu hatayı belirtir.",
  receipt: "Hata için makbuz",
  knownTitle: "Bu hatayı biliyoruz.",
  knownText: "Hata kaydedildi ve sitenin ekibi onu görebiliyor. Bir şey yapmanız gerekmiyor.",
  pendingTitle: "Düzeltme yolda.",
  pendingText:
    "Sorunu bulduk, yakında bir düzeltme yayımlanacak. O zamana kadar hata yinelenebilir.",
  fixedTitle: "Hata düzeltildi.",
  fixedText:
    "Sorunu bulduk ve düzelttik. Hatanın oluştuğu sayfayı yeniden yükleyin. Bu kodu yine görürseniz lütfen aşağıda bize bildirin.",
  stepRecorded: "Kaydedildi",
  stepInProgress: "Üzerinde çalışılıyor",
  stepFixed: "Düzeltildi",
  firstSeen: "İlk görülme",
  seenThisWeek: "Bu hafta görülme",
  unknownTitle: "Bu kod henüz bilinmiyor.",
  unknownText:
    "Hata az önce oluştuysa bir dakika bekleyip bu sayfayı yeniden yükleyin. Değilse kodu size gösterilenle karşılaştırın: her karakter önemlidir. Eski hatalar bir süre sonra silinir.",
  waitTitle: "Bir dakika lütfen.",
  waitText: "Ağınızdan çok fazla istek geldi. Lütfen bir dakika sonra bu sayfayı yeniden yükleyin.",
  question: "Ne yapıyordunuz?",
  questionHint: "Bu, nedeni bulmaya yardımcı olur. Parola veya kart numarası yazmayın.",
  send: "Gönder",
  thanks: "Teşekkürler. Yorumunuz sitenin ekibine gönderildi.",
  tooManyComments:
    "Yorum gönderilmedi: ağınızdan çok fazla yorum geldi. Lütfen bir dakika sonra yeniden deneyin.",
  badComment: "Yorum gönderilmedi. Lütfen en az 1, en çok {max} karakter girin.",
  commentFailed:
    "Geçici bir sorun nedeniyle yorum gönderilmedi. Metniniz duruyor. Lütfen yeniden deneyin.",
  tell: "Düzeltildiğinde bana haber verin",
  tellHint:
    "E-posta adresinizi girin. Bir e-posta adresi onaylamanızı ister, biri de hatanın düzeltildiğini bildirir. Ardından adres silinir.",
  tellAsked: "Bu adres e-posta alabiliyorsa bir bağlantı yolda. Bir gün içinde açın.",
  tellConfirmed: "Hata düzeltildiğinde bir e-posta alacaksınız.",
  tellWithdraw: "Adresimi sil",
  tellExpired: "Bu bağlantı artık çalışmıyor.",
  tellFailed: "Olmadı. Adresi kontrol edin veya yarın yeniden deneyin.",
  mailAsk: "{digest} hatası düzeltildiğinde haber almak istiyorsanız bu bağlantıyı açın:",
  mailIgnore: "Bunu siz istemediyseniz bu e-postayı dikkate almayın.",
  mailFixed: "{digest} hatası düzeltildi.",
  mailDeleted: "Adresiniz silindi. Başka e-posta gönderilmeyecek.",
};
