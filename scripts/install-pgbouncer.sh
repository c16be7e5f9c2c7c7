#!/bin/sh
# Installs Debian's PgBouncer for the tests of storage-postgres, where apt-get is at hand and the user is root. Never fails: without it
# the tests say in one line what they left out.
if command -v pgbouncer >/dev/null || [ -x /usr/sbin/pgbouncer ]; then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo 'no pgbouncer and no way to install it: the tests behind PgBouncer are left out' >&2
  exit 0
fi
# Starts no service: the tests start poolers of their own.
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
{ apt-get update -q && apt-get install -y -q --no-install-recommends pgbouncer; } >/dev/null 2>&1 ||
  echo 'pgbouncer could not be installed: the tests behind PgBouncer are left out' >&2
exit 0
