// `npm run env`: writes .env for docker-compose.yml from .env.example, with new secrets. Existing values of .env are kept.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** How each secret is made. Passwords are letters and digits, because they stand in addresses. */
const makers: Record<string, () => string> = {
  POSTGRES_PASSWORD: () => randomBytes(24).toString('hex'),
  REDIS_PASSWORD: () => randomBytes(24).toString('hex'),
  GRAFANA_PASSWORD: () => randomBytes(12).toString('hex'),
  ADMIN_TOKEN: () => randomBytes(24).toString('base64url'),
  SESSION_SECRETS: () => randomBytes(48).toString('base64url'),
  ENCRYPTION_KEYS: () => `k1:${randomBytes(32).toString('base64')}`,
}

/** `NAME=value` of a line, unchanged: quotes decide the meaning of `$` and `#`. */
const written = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))

/** The text of .env: the lines of the example, with a secret where it has none. `kept` is what .env has now. */
export function filled(example: string, kept: string): string {
  const values = parseEnv(kept)
  const known = new Map([...written(kept)].filter(([name]) => values[name]))
  const named = new Set<string>()
  const lines = example.split('\n').map((line) => {
    const [[name, value] = []] = written(line)
    if (name === undefined) return line
    named.add(name)
    return `${name}=${known.get(name) ?? (value || makers[name]?.() || '')}`
  })
  const further = [...known].filter(([name]) => !named.has(name))
  return [...lines.slice(0, -1), ...further.map(([name, value]) => `${name}=${value}`), ''].join('\n')
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const file = join(root, '.env')
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : ''
  writeFileSync(file, filled(readFileSync(join(root, '.env.example'), 'utf8'), kept), { mode: 0o600 })
  console.log(
    kept
      ? '.env is complete: secrets that it had are unchanged.'
      : '.env has new secrets. Keep a copy of ENCRYPTION_KEYS elsewhere, then run: docker compose up --build',
  )
}
