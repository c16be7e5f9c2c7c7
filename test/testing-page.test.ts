// The tests of the page on testing a host are tests: they are run as they stand there.
// It exports nothing: its tests are collected when it is loaded.
// oxlint-disable-next-line import/no-unassigned-import
import '../docs/snippets/testing.ts';
