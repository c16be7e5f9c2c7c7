import { expect, test } from 'vitest';
import { parseEgressUrl } from './egress-url.ts';

const verdict = (text: string, schemes: readonly ('http' | 'https')[] = ['https']): string => {
  const parsed = parseEgressUrl(text, schemes);
  return parsed.kind === 'accepted' ? parsed.url.href : parsed.reason;
};

test.each([
  ['https://hooks.example.com', 'https://hooks.example.com/'],
  ['https://HOOKS.example.com:443/a?b=c#d', 'https://hooks.example.com/a?b=c#d'],
  ['https://a_b.example.com/', 'https://a_b.example.com/'],
  ['https://xn--mnchen-3ya.de/', 'https://xn--mnchen-3ya.de/'],
  ['https://example.com/Köln', 'https://example.com/K%C3%B6ln'],
  ['https://1.example.com/', 'https://1.example.com/'],
])('takes %s', (text, href) => {
  expect(verdict(text)).toBe(href);
});

test('takes both schemes where both are accepted, each on its own port', () => {
  expect(verdict('http://example.com/', ['http', 'https'])).toBe('http://example.com/');
  expect(verdict('http://example.com:80/', ['http', 'https'])).toBe('http://example.com/');
  expect(verdict('http://example.com:443/', ['http', 'https'])).toBe('port');
  expect(verdict('https://example.com:80/', ['http', 'https'])).toBe('port');
});

test.each([
  ['http://example.com/', 'scheme'],
  ['ftp://example.com/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['javascript://example.com/%0aalert(1)', 'scheme'],
  ['wss://example.com/', 'scheme'],
])('refuses the scheme of %s', (text, reason) => {
  expect(verdict(text)).toBe(reason);
});

test.each([
  'https://example.com:8443/',
  'https://example.com:80/',
  'https://example.com:0/',
  'https://example.com:4430/',
])('refuses the port of %s', (text) => {
  expect(verdict(text)).toBe('port');
});

test.each([
  'https://u:p@example.com/',
  'https://u@example.com/',
  'https://@example.com/',
  'https://:@example.com/',
  'https://a@b@example.com/',
])('refuses the credentials of %s', (text) => {
  expect(verdict(text)).toBe('credentials');
});

test.each([
  'https://127.0.0.1/',
  'https://8.8.8.8/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://017700000001/',
  'https://127.1/',
  'https://1.2.3.4.5/',
  'https://256.256.256.256/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[fe80::1%25eth0]/',
  'https://１２７.0.0.1/',
  'https://①②⑦.0.0.1/',
  'https://１２７.0.0.１/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
])('refuses %s, whose host is a number [webhooks:create:url-public-ipv4]', (text) => {
  expect(verdict(text)).toBe('ip_address');
});

test.each([
  'https://localhost/',
  'https://intranet/',
  'https://a.localhost/',
  'https://ü.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://router.home.arpa/',
  'https://service.test/',
  'https://nothing.invalid/',
  'https://hidden.onion/',
  'https://name.alt/',
  'https://nas.lan/',
])('refuses the host of %s, which the public DNS does not have', (text) => {
  expect(verdict(text)).toBe('host');
});

test.each([
  'https://localhost./',
  'https://example.com./',
  'https://-a.example.com/',
  `https://${'a'.repeat(64)}.example.com/`,
  `https://${'ü'.repeat(60)}.example.com/`,
  `https://${'abcdefghi.'.repeat(26)}com/`,
  'https://example..com/',
  'https://example.com,evil.com/',
  'https://👍.example.com/',
  // Each of these is another spelling of a name in plain letters.
  'https://example。com/',
  'https://ｅｘａｍｐｌｅ.com/',
  'https://ex%61mple.com/',
  'https://ﬁ.example.com/',
])('refuses the name of %s', (text) => {
  expect(verdict(text)).toBe('host_name');
});

test.each([
  ['https://münchen.de/a', 'https://xn--mnchen-3ya.de/a'],
  ['https://MÜNCHEN.de', 'https://xn--mnchen-3ya.de/'],
  ['https://straße.de/', 'https://xn--strae-oqa.de/'],
  ['https://hooks.пример.рф/', 'https://hooks.xn--e1afmkfd.xn--p1ai/'],
  ['https://例え.jp:443/', 'https://xn--r8jz45g.jp/'],
  ['https://xn--mnchen-3ya.de/', 'https://xn--mnchen-3ya.de/'],
])('takes %s by its ASCII form [webhooks:create:url-public-ipv4]', (text, href) => {
  expect(verdict(text)).toBe(href);
});

test.each([
  'https://example.com:/',
  'https://example.com:x/',
  'https://example.com:999999/',
  'https://münchen.de:8443/',
])('refuses the port of %s by its name', (text) => {
  expect(verdict(text)).toBe('port');
});

test.each([
  '',
  'abc',
  'https:',
  'https:example.com',
  'https:/example.com',
  'https:///example.com',
  'https://',
  'https:\\\\example.com\\a',
  'https://example.com\\@127.0.0.1/',
  ' https://example.com/',
  'https://example.com/ ',
  'https://exa\tmple.com/',
  'https://example.com/a\nb',
  'https://example.com/\u0000',
  'https://exam\u00adple.com/',
  'https://exam\u200bple.com/',
  `https://example.com/${'a'.repeat(2048)}`,
])('refuses %j, which is no address as it stands', (text) => {
  expect(verdict(text)).toBe('malformed');
});
