import { describe, expect, it } from "vitest";
import { formatCodeKey } from "#src/core/lookup/lookup-code.ts";
import { parsePasted } from "#src/core/lookup/parse-codes.ts";

const NUMBER = "2749163058";

function findKeys(pasted: string): readonly string[] {
  const { codes, guesses } = parsePasted(pasted);
  return [...codes, ...guesses].map(formatCodeKey);
}

describe("a number of Next.js in words", () => {
  it.each([
    "two seven four nine one six three oh five eight",
    "twenty-seven forty-nine sixteen thirty fifty-eight",
    "zwei sieben vier neun eins sechs drei null fünf acht",
    "deux sept quatre neuf un six trois zéro cinq huit",
    "dos siete cuatro nueve uno seis tres cero cinco ocho",
    "due sette quattro nove uno sei tre zero cinque otto",
    "dois sete quatro nove um seis três zero cinco oito",
    "doi șapte patru nouă unu șase trei zero cinci opt",
    "twee zeven vier negen een zes drie nul vijf acht",
    "två sju fyra nio ett sex tre noll fem åtta",
    "to syv fire ni en seks tre nul fem otte",
    "kaksi seitsemän neljä yhdeksän yksi kuusi kolme nolla viisi kahdeksan",
    "dwa siedem cztery dziewięć jeden sześć trzy zero pięć osiem",
    "dva sedm čtyři devět jedna šest tři nula pět osm",
    "два семь четыре девять один шесть три ноль пять восемь",
    "два сім чотири дев’ять один шість три нуль п’ять вісім",
    "kettő hét négy kilenc egy hat három nulla öt nyolc",
    "iki yedi dört dokuz bir altı üç sıfır beş sekiz",
    "İKİ YEDİ DÖRT DOKUZ BİR ALTI ÜÇ SIFIR BEŞ SEKİZ",
    "δύο επτά τέσσερα εννέα ένα έξι τρία μηδέν πέντε οκτώ",
    "hai bảy bốn chín một sáu ba không năm tám",
    "dua tujuh empat sembilan satu enam tiga nol lima delapan",
    "اثنان سبعة أربعة تسعة واحد ستة ثلاثة صفر خمسة ثمانية",
    "دو هفت چهار نه یک شش سه صفر پنج هشت",
    "שתיים שבע ארבע תשע אחת שש שלוש אפס חמש שמונה",
    "दो सात चार नौ एक छह तीन शून्य पांच आठ",
    "দুই সাত চার নয় এক ছয় তিন শূন্য পাঁচ আট",
    "に なな よん きゅう いち ろく さん ゼロ ご はち",
    "㊁㊆㊃㊈㊀㊅㊂〇㊄㊇",
    "〢〧〤〩〡〦〣〇〥〨",
    "ニナナヨンキュウイチロクサンゼロゴハチ",
    "둘 일곱 넷 아홉 하나 여섯 셋 영 다섯 여덟",
    "이-칠-사-구-일-육-삼-공-오-팔",
    "สองเจ็ดสี่เก้าหนึ่งหกสามศูนย์ห้าแปด",
  ])("is found: %s", (pasted) => {
    expect(findKeys(pasted)).toContain(`alias ${NUMBER}`);
  });

  it("is found after a word that may mean a character", () => {
    expect(findKeys("I see two seven four nine one six three zero five eight.")).toContain(
      `alias ${NUMBER}`,
    );
  });
});

describe("a digest that was spelled", () => {
  it.each([
    "H W eight A J F F eight",
    "So it says H, W, eight, A, J, F, F, eight. Can you help?",
    "hotel whisky eight alpha hyphen juliet foxtrott foxtrott eight",
    "hotel wiskie eight alfa juliette foxtrot foxtrot eight",
    "aitch double-u eight ay dash jay eff eff eight",
    "aitch double you eight ay jay eff eff eight",
    "Ha We acht A Strich Jot Eff Eff acht",
    "Henryk Wacław osiem Adam myślnik Jan Filip Filip osiem",
    "Hotel Washington otto Ancona Jolly Firenze Firenze otto",
    "H as in Henry, W as in William, 8, A as in Apple, -, J as in John, F for Frank, F for Fred, 8",
    "H wie Heinz, W wie Walter, 8, A wie Apfel, J wie Jörg, F wie Frank, F wie Frank, 8",
    "HW8A dash JFF8",
    "hw8a hyphen jff8",
    "HW8A Strich JFF8",
    "HW8A tiret JFF8",
    "HW8A trait d’union JFF8",
    "it shows HW8A guión JFF8 again",
    "hw8a дефис jff8",
    "H W acht A Bindestrich J F F acht",
    "H W 8 A minus J F F 8",
    "H W 8 A dash J double F 8",
    "H W 8 A space J F F 8",
    "HW8A minus sign JFF8",
    "HW eight A dash JFF eight",
    "H (Heinrich) W (Wilhelm) 8 A (Anton) J (Julius) F (Friedrich) F (Friedrich) 8",
  ])("is found: %s", (pasted) => {
    expect(findKeys(pasted)).toContain("digest HW8A-JFF8");
  });

  it("is found without three words of more than a letter", () => {
    expect(findKeys("J D H G seven D E B")).toContain("digest JDHG-7DEB");
  });
});

describe("a Ray ID that was spelled", () => {
  it("is found, with its data center or without", () => {
    const words =
      "niner alfa four charlie seven echo one foxtrot zero bravo two delta eight three six five";
    expect(findKeys(words)).toContain("alias 9a4c7e1f0b2d8365");
    expect(findKeys(`${words} dash whiskey alfa whiskey`)).toContain("alias 9a4c7e1f0b2d8365");
  });
});
