// The file .env of docker-compose.yml.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { filled } from './env.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
const example = read('.env.example')

test('the example names every variable of the compose file', () => {
  const used = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!)
  const missing = [...new Set(used)].filter((name) => !new RegExp(`^(# )?${name}=`, 'm').test(example))
  assert.deepEqual(missing, [])
})

test('every required variable gets a value that the service accepts', () => {
  const required = [...read('docker-compose.yml').matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name!)
  const env = parseEnv(filled(example, ''))
  for (const name of required) assert.match(env[name] ?? '', /^\S{8,}$/, name)
  const config = readConfig({
    ...env,
    DATABASE_URL: `postgres://calendar:${env.POSTGRES_PASSWORD}@postgres:5432/calendar`,
    REDIS_URL: `redis://:${env.REDIS_PASSWORD}@redis:6379`,
  })
  assert.equal(config.baseUrl, 'http://localhost:8080')
  assert.notEqual(filled(example, ''), filled(example, ''))
})

test('what is there already stays, also variables that the example does not name', () => {
  const first = `${filled(example, '')}EXTRA=one\n`
  assert.equal(filled(example, first), first)
  const changed = parseEnv(filled(example, 'BASE_URL=https://calendar.example.com\nADMIN_TOKEN=mine-and-long-enough\n'))
  assert.deepEqual([changed.BASE_URL, changed.ADMIN_TOKEN], ['https://calendar.example.com', 'mine-and-long-enough'])
})

test('a value stays as it is written, with the quotes that keep its signs', () => {
  const lines = [
    `SMTP_URL='smtps://user:p$1#x@smtp.example.com'`,
    `CALENDAR_PROVIDERS='{"google": {"client_id": "x"}}'`,
  ]
  const text = filled(example, `${lines.join('\n')}\n`)
  for (const line of lines) assert.ok(text.split('\n').includes(line), text)
  assert.equal(parseEnv(text).SMTP_URL, 'smtps://user:p$1#x@smtp.example.com')
})
