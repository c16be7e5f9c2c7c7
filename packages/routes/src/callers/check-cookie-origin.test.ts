import { expect, test } from 'vitest';
import { checkCookieOrigin } from './check-cookie-origin.ts';

const check = (headers: Readonly<Record<string, string>>): void =>
  checkCookieOrigin(
    { headers: new Headers({ host: 'app.example.com', ...headers }), ownOrigin: null },
    (origin) => origin === 'https://shop.example.com',
  );

const foreign = { origin: 'https://evil.example.net' };
const cookie = 'session=ann';

test.each([
  ['a cookie', { cookie }],
  ['a cookie of a page without an origin', { cookie, origin: 'null' }],
  ['a cookie of a page on another port', { cookie, origin: 'https://app.example.com:8443' }],
  ['a cookie beside a password of the browser', { cookie, authorization: 'Basic YW5uOnB3' }],
  ['a password of the browser', { authorization: 'basic YW5uOnB3' }],
  ['a sign-in of the machine', { authorization: 'Negotiate YII' }],
])('refuses %s that a browser adds for a page of another origin', (_, headers) => {
  expect(() => check({ ...foreign, ...headers })).toThrow(expect.objectContaining({ code: 'token_not_allowed' }));
});

test.each([
  ['the page of the gateway', { cookie, origin: 'https://app.example.com' }],
  ['a page that the gateway lets in', { cookie, origin: 'https://shop.example.com' }],
  ['a page that brings a credential of its own', { ...foreign, cookie, authorization: 'Bearer eyJ' }],
  ['a program that names no origin', { cookie, authorization: 'Basic YW5uOnB3' }],
  ['a page without a cookie', foreign],
])('lets in %s', (_, headers) => {
  expect(() => check(headers)).not.toThrow();
});
