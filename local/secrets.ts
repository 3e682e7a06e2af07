// The three secrets of a local installation, made once and kept. Without them sessions end, and what is stored
// encrypted is lost for good, so a broken file is reported and never replaced.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const makers = {
  ADMIN_TOKEN: () => `admin_${randomBytes(24).toString('base64url')}`,
  SESSION_SECRETS: () => randomBytes(32).toString('base64url'),
  ENCRYPTION_KEYS: () => `k1:${randomBytes(32).toString('base64')}`,
}
type Secrets = Record<keyof typeof makers, string>

/** A secret in `env` is used and not stored; the others come from `<dataDir>/secrets.json`, mode 0600. */
export function keptSecrets(dataDir: string, env: NodeJS.ProcessEnv): Secrets {
  const file = join(dataDir, 'secrets.json')
  const kept = readKept(file)
  const names = Object.keys(makers) as (keyof Secrets)[]
  const missing = names.filter((name) => !env[name] && !kept[name])
  for (const name of missing) kept[name] = makers[name]()
  if (missing.length > 0) {
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(draft, file)
  }
  return Object.fromEntries(names.map((name) => [name, env[name] || kept[name]])) as Secrets
}

function readKept(file: string): Partial<Secrets> {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new Error(
      `${file} is not readable JSON: restore it from a backup, it holds the keys of what is stored encrypted`,
    )
  }
}
