import assert from 'node:assert/strict'
import { test } from 'vitest'
import { parseDatabaseUrl } from './databaseUrl.ts'

const plain = {
  hosts: [{ host: 'localhost', port: 5432 }],
  user: undefined,
  password: undefined,
  database: undefined,
  sslMode: 'disable',
  sslRootCert: undefined,
  isPooled: false,
  connectTimeout: undefined,
  session: {},
}

const addresses: Record<string, object> = {
  'postgres://': {},
  'postgresql://localhost:5433/calendar': { hosts: [{ host: 'localhost', port: 5433 }], database: 'calendar' },
  'postgres://a%20b:p%40s%2Fs%3A%25@db/my%20calendar': {
    ...{ hosts: [{ host: 'db', port: 5432 }], user: 'a b', password: 'p@s/s:%', database: 'my calendar' },
  },
  'postgres://u:a:b+c@db/a+b': { hosts: [{ host: 'db', port: 5432 }], user: 'u', password: 'a:b+c', database: 'a+b' },
  'postgres://u@[::1]:5433,[2001:db8::2]/c': {
    ...{
      hosts: [
        { host: '::1', port: 5433 },
        { host: '2001:db8::2', port: 5432 },
      ],
      user: 'u',
      database: 'c',
    },
  },
  'postgres://a,b:5433/c?connect_timeout=3': {
    ...{
      hosts: [
        { host: 'a', port: 5432 },
        { host: 'b', port: 5433 },
      ],
      database: 'c',
      connectTimeout: 3,
    },
  },
  'postgres://u@%2Fvar%2Frun%2Fpostgresql/c': {
    hosts: [{ host: '/var/run/postgresql', port: 5432 }],
    user: 'u',
    database: 'c',
  },
  'postgres:///c?host=/tmp/a%20b': { hosts: [{ host: '/tmp/a b', port: 5432 }], database: 'c' },
  'postgres:///?host=::1,db&port=5433&user=u&password=p&dbname=c%20d': {
    ...{
      hosts: [
        { host: '::1', port: 5433 },
        { host: 'db', port: 5433 },
      ],
      user: 'u',
      password: 'p',
      database: 'c d',
    },
  },
  'postgres://db/c?sslmode=require&channel_binding=require&application_name=a+b%20c&options=-c%20work_mem%3D8MB': {
    ...{ hosts: [{ host: 'db', port: 5432 }], database: 'c', sslMode: 'require' },
    session: { application_name: 'a+b c', options: '-c work_mem=8MB' },
  },
  'postgres://db/c?sslmode=prefer&sslrootcert=system&prepare=false': {
    ...{
      hosts: [{ host: 'db', port: 5432 }],
      database: 'c',
      sslMode: 'verify-full',
      sslRootCert: 'system',
      isPooled: true,
    },
  },
}
for (const [url, parts] of Object.entries(addresses)) {
  test(`the parts of ${url}`, () => {
    assert.deepEqual(parseDatabaseUrl(url), { ...plain, ...parts })
  })
}

const wrongDatabaseUrls = [
  ...[
    'mysql://db/c',
    'postgres:db/c',
    'postgres:/c',
    'db/c',
    'postgres://db:port/c',
    'postgres://db:0/c',
    'postgres://db:65536/c',
  ],
  ...['postgres://u:p%@db/c', 'postgres://db/c%00', 'postgres://db/a b', 'postgres://::1/c', 'postgres://[::1/c'],
  ...[
    'postgres://db/c?sslmode=yes',
    'postgres://db/c?sslmode',
    'postgres://db/c?connect_timeout=3s',
    'postgres://db:54 32/c',
  ],
]
for (const url of wrongDatabaseUrls) {
  test(`${url} is refused in a line that shows nothing of it`, () => {
    assert.throws(
      () => parseDatabaseUrl(url),
      ({ message }: Error) => /^expected /.test(message) && !message.includes('\n'),
    )
  })
}
