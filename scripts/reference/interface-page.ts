// Writes a page of interfaces from their declarations and docstrings.
import type { Declaration, Member } from './declarations.ts';
import { defaultsOf, optionDefaults, type InterfacePage, type InterfaceSection } from './interface-pages.ts';
import { code, table } from './markdown.ts';

type Declarations = ReadonlyMap<string, Declaration>;

const namesIn = (text: string): readonly string[] => text.match(/\b[A-Z]\w+\b/gu) ?? [];

const textOf = ({ heritage, text, members }: Declaration): string =>
  [heritage, text, ...members.map((member) => member.text)].join('\n');

/** A type that is only known to a schema says nothing as it is written. */
const isReadable = ({ text }: Declaration): boolean => !text.includes('z.infer') && !text.includes('z.output');

const mainNames = (page: InterfacePage): readonly string[] => page.sections.flatMap(({ interfaces }) => interfaces);

/** The types that a page describes beside its interfaces, in the order in which they are met. */
export const typesOn = (page: InterfacePage, declarations: Declarations): readonly string[] => {
  const main = mainNames(page);
  const found = new Set<string>();
  let round = main;
  for (let depth = 0; depth < page.depth; depth += 1) {
    const next = round.flatMap((name) => {
      const declaration = declarations.get(name);
      return declaration === undefined ? [] : namesIn(textOf(declaration));
    });
    round = [...new Set(next)].filter((name) => {
      const declaration = declarations.get(name);
      const isNew = !found.has(name) && !main.includes(name) && !(name in page.elsewhere);
      return isNew && declaration !== undefined && isReadable(declaration);
    });
    for (const name of round) found.add(name);
  }
  return [...found].toSorted();
};

const anchorOf = (name: string): string => `type-${name.toLowerCase()}`;

const memberAnchor = (owner: string, member: string): string => `${owner.toLowerCase()}-${member.toLowerCase()}`;

/** What a section or a member is written from. */
interface Page {
  readonly page: InterfacePage;
  readonly declarations: Declarations;
  readonly types: readonly string[];
}

/** A line of links to the types that a text names; an interface with places of its own is found at its first member. */
const typeLine = (text: string, { page, declarations, types }: Page): readonly string[] => {
  const main = mainNames(page);
  const links = [...new Set(namesIn(text))].flatMap((name) => {
    if (types.includes(name)) return [`[${name}](#${anchorOf(name)})`];
    const first = main.includes(name) ? declarations.get(name)?.members[0] : undefined;
    if (first !== undefined) return [`[${name}](#${memberAnchor(name, first.name)})`];
    const elsewhere = page.elsewhere[name];
    return elsewhere === undefined ? [] : [`[${name}](${elsewhere})`];
  });
  return links.length === 0 ? [] : [`Types: ${links.join(', ')}.`, ''];
};

const escaped = (text: string): string =>
  text
    .split('`')
    .map((piece, place) => (place % 2 === 0 ? piece.replaceAll('<', '&lt;') : piece))
    .join('`');

const memberSection = (owner: string, member: Member, page: Page): readonly string[] => {
  const option =
    owner === 'GatewayOptions' ? Object.entries(optionDefaults).find(([name]) => name === member.name) : null;
  return [
    `### ${member.name} {#${memberAnchor(owner, member.name)}}`,
    '',
    ...code('ts', member.text),
    ...(member.doc === '' ? [] : [escaped(member.doc), '']),
    ...(option === null || option === undefined ? [] : [`Default: ${option[1]}.`, '']),
    ...typeLine(member.text, page),
  ];
};

const day = 86_400_000;
const hour = 3_600_000;

/** A default as a person reads it. */
const shownDefault = (name: string, value: unknown): string => {
  if (typeof value !== 'number') return `\`${String(value)}\``;
  const figure = value.toLocaleString('en-US');
  if (!name.endsWith('Ms') || value < hour) return figure;
  if (value % day === 0) return `${figure} (${value / day} ${value === day ? 'day' : 'days'})`;
  return value % hour === 0 ? `${figure} (${value / hour} ${value === hour ? 'hour' : 'hours'})` : figure;
};

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').replaceAll('( ', '(').replaceAll(', )', ')');

/** The type of a member without its name. */
const typeText = ({ name, text }: Member): string =>
  oneLine(text.slice(name.length).replace(/^\?/u, '').replace(/^:\s*/u, ''));

const memberTable = ({ name: owner, members }: Declaration): readonly string[] => {
  const defaults = Object.entries(defaultsOf[owner] ?? {});
  const rows = members.map((member) => {
    const value: unknown = defaults.find(([name]) => name === member.name)?.[1];
    const cells = [`\`${member.name}${member.isOptional ? '?' : ''}\``, `\`${typeText(member)}\``, member.doc];
    return defaults.length === 0 ? cells : [...cells.slice(0, 2), shownDefault(member.name, value), ...cells.slice(2)];
  });
  return table(['member', 'type', ...(defaults.length === 0 ? [] : ['default']), 'meaning'], rows);
};

const typeSection = (declaration: Declaration, page: Page): readonly string[] => {
  const { name, kind, doc, heritage, text } = declaration;
  return [
    `### ${name} {#${anchorOf(name)}}`,
    '',
    ...(doc === '' ? [] : [escaped(doc), '']),
    ...(heritage === '' ? [] : [`Extends \`${oneLine(heritage)}\`.`, '']),
    ...(kind === 'type'
      ? code('ts', `type ${name} =${text.includes('\n  |') ? `\n  ${text}` : ` ${text}`}`)
      : memberTable(declaration)),
    ...typeLine(textOf(declaration), page),
  ];
};

const sectionOf = (section: InterfaceSection, page: Page): readonly string[] => {
  const own = section.interfaces.flatMap((name) => {
    const declaration = page.declarations.get(name);
    if (declaration === undefined) throw new Error(`no interface ${name}`);
    return [
      ...(declaration.doc === '' ? [] : [escaped(declaration.doc), '']),
      ...declaration.members.flatMap((member) => memberSection(name, member, page)),
    ];
  });
  return [`## ${section.heading}`, '', ...section.text, ...(section.text.length === 0 ? [] : ['']), ...own];
};

/** The text of a page. */
export const interfacePage = (page: InterfacePage, declarations: Declarations): string => {
  const types = typesOn(page, declarations);
  const described = types.flatMap((name) => declarations.get(name) ?? []);
  const whole: Page = { page, declarations, types };
  return [
    `# ${page.title}`,
    '',
    ...page.text.flatMap((paragraph) => [paragraph, '']),
    ...page.sections.flatMap((section) => sectionOf(section, whole)),
    '## Types',
    '',
    ...described.flatMap((declaration) => typeSection(declaration, whole)),
  ]
    .join('\n')
    .replace(/\n+$/u, '\n');
};
