/** How many there are, so that none gets lost unnoticed. */
export const awkwardStringsCount = 515;

const point = (code: number): string => String.fromCodePoint(code);
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Every control character of ASCII and Latin-1, DEL among them. */
const controls = [...range(0x00, 0x1f), ...range(0x7f, 0x9f)].map(point);

/** The first, a middle and the last two points of each of the 17 planes; the last two are no characters. */
const planes = range(0, 16).flatMap((plane) =>
  [0x0100, 0xa000, 0xfffe, 0xffff].map((offset) => point(plane * 0x1_0000 + offset)),
);

/** Points of the first plane that are no characters. */
const noncharacters = range(0xfdd0, 0xfdef).map(point);

/** Characters that are there without being seen, or turn what follows around. */
const invisible = [
  0x00ad,
  0x034f,
  0x061c,
  0x115f,
  0x1160,
  0x17b4,
  0x17b5,
  0x180e,
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x206f),
  0x3164,
  0xfe00,
  0xfe0e,
  0xfe0f,
  0xfeff,
  0xffa0,
  0xfff9,
  0xfffa,
  0xfffb,
  0xfffc,
  0xfffd,
  0xe_0001,
].map(point);

/** Spaces that trimming eats and other spaces. */
const spaces = [0x20, 0x85, 0xa0, 0x1680, ...range(0x2000, 0x200a), 0x202f, 0x205f, 0x3000, 0x2800, 0x2420].map(
  (code) => `${point(code)}x${point(code)}`,
);

/** Halves of characters, in every company that a string can hold. */
const surrogates = ['\u{d800}', '\u{dbff}', '\u{dc00}', '\u{dfff}'].flatMap((half) => [
  half,
  `${half}a`,
  `a${half}`,
  `${half}${half}`,
  `\u{1f6f0}${half}\u{1f6f0}`,
]);

const hangul = ['\u{1100}\u{1161}\u{11a8}', '\u{ac01}', '\u{1100}'.repeat(50)];

/** Letters with marks upon marks, in composed and in single pieces. */
const combining = [
  ...range(0x0300, 0x031e).map((mark) => `e${point(mark)}`),
  '\u{e9}',
  'e\u{301}',
  '\u{1e69}',
  's\u{323}\u{307}',
  's\u{307}\u{323}',
  `Z${'\u{334}\u{35c}\u{337}'.repeat(40)}`,
  ...hangul,
];

/** Scripts that run the other way or join their letters. */
const scripts = [
  'שלום עולם',
  'مرحبا بالعالم',
  'سلام دنیا',
  'नमस्ते दुनिया',
  'สวัสดีชาวโลก',
  'გამარჯობა',
  'Здравствуй, мир',
  'Γειά σου Κόσμε',
  '你好，世界',
  'こんにちは世界',
  '안녕하세요 세계',
  'Xin chào thế giới',
  'İstanbul ıspanak',
  'Straße ß ẞ',
  '\u{202e}txt.exe\u{202c}',
  'a\u{202e}b\u{2066}c\u{2069}d',
];

const flags = ['\u{1f1f5}\u{1f1f9}', '\u{1f1f5}', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'];

/** Pictures made of several characters. */
const emoji = [
  '👩‍👩‍👧‍👦',
  '👨🏿‍🚀',
  '🏳️‍🌈',
  '🏳️‍⚧️',
  '1️⃣',
  '❤️',
  '❤︎',
  '👍🏽',
  '🧑‍🤝‍🧑',
  '\u{1f469}\u{200d}',
  '\u{200d}\u{1f469}',
  '\u{1f3ff}',
  '\u{fe0f}',
  '\u{20e3}',
  '🫠',
  '🪿',
  '😀'.repeat(100),
  '👩‍❤️‍💋‍👨',
  '🇵🇹🇪🇸',
  ...flags,
  '☃',
  '𝒳𝓎𝓏',
];

/** What means something to the formats on the way. */
const syntax = [
  '"',
  '\\',
  '\\"',
  '\\\\',
  '\\u0000',
  '\\ud800',
  '\\n',
  '/',
  '</script>',
  '<!--',
  ']]>',
  '&amp;',
  '{',
  '}',
  '[',
  ']',
  ']]',
  '[[sandbox: fail]]',
  '[[sandbox: hang]]',
  '{}',
  '{"a":1}',
  '{"error":{"code":"x"}}',
  'null',
  'true',
  'NaN',
  '[DONE]',
  'data: [DONE]',
  'data: [DONE]\n\n',
  '\n\ndata: [DONE]\n\n',
  '\r\n\r\ndata: {"choices":[]}\r\n\r\n',
  'event: error\ndata: x\n\n',
  ': ping\n\n',
  'id: 1\nretry: 0\n\n',
  'data:',
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\r\r',
  '\n\r',
  '\t',
  '\u{2028}\u{2029}',
  '\u{85}',
  '\u{b}\u{c}',
  '\u{0}',
  'a\u{0}b',
  '\u{0}'.repeat(100),
  '%00',
  '%',
  '%s%d%n',
  '${x}',
  '{{x}}',
  '$1$&$`',
  "'; DROP TABLE operation; --",
  "' OR '1'='1",
  '../../etc/passwd',
  'C:\\CON',
  '__proto__',
  'constructor',
  'toString',
  'undefined',
  '-0',
  '1e999',
  '9007199254740993',
  '0x10',
  '\u{feff}{"a":1}',
  'HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\n\r\n',
  'ﷺ'.repeat(20),
  'ﬀﬁﬂ',
  '½²™',
  'ｆｕｌｌ　ｗｉｄｔｈ',
  '\u{1d165}\u{1d157}\u{1d165}',
  '\u{1f1e6}'.repeat(33),
  '\u{3099}が',
  '\u{fb1d}\u{5b4}',
  '\u{e0100}葛\u{e0100}',
  '\u{1f9d1}\u{200d}',
  'x\u{20d2}\u{338}',
];

/** Characters at the edges of 1, 2, 3 and 4 bytes, alone and in numbers that do not divide blocks of memory evenly. */
const edges = [0x7e, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0x1_0000, 0x10_fffd].map(point);
const widths = [
  ...edges,
  ...edges.flatMap((letter) => [3, 63, 255, 1_023, 4_095, 16_383].map((count) => letter.repeat(count))),
  ...edges.flatMap((letter) => [`a${letter}`, `${letter}a`, `a${letter}a`, `${letter}\u{1f6f0}`]),
  'a'.repeat(65_535),
  'é'.repeat(65_536),
  '語'.repeat(65_537),
  '🛰'.repeat(32_769),
];

/** Strings that something between a client and a model may change, cut, swallow or choke on; each has at least one unit. */
export const awkwardStrings: readonly string[] = [
  ...new Set([
    ...controls,
    ...planes,
    ...noncharacters,
    ...invisible,
    ...spaces,
    ...surrogates,
    ...combining,
    ...scripts,
    ...emoji,
    ...syntax,
    ...widths,
  ]),
];

/** Names the string in a title or a message, whatever it holds. */
export const nameOfString = (text: string): string => {
  const units = Array.from({ length: Math.min(text.length, 6) }, (_, index) => text.charCodeAt(index).toString(16));
  return `${units.join(' ')}${text.length > 6 ? ` … (${text.length})` : ''}`;
};
