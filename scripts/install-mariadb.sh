#!/bin/sh
# Installs Debian's MariaDB server for the tests of storage-mysql, where apt-get is at hand and the user is root. Never fails: without a
# server the tests say in one line what they left out.
if command -v mariadbd >/dev/null || [ -x /usr/sbin/mariadbd ]; then exit 0; fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo 'no mariadbd and no way to install it: the tests of storage-mysql are left out' >&2
  exit 0
fi
# Starts no service: the tests start servers of their own.
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
{ apt-get update -q && apt-get install -y -q --no-install-recommends mariadb-server; } >/dev/null 2>&1 ||
  echo 'mariadb-server could not be installed: the tests of storage-mysql are left out' >&2
exit 0
