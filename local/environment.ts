// The environment of the children, from that of `npm start`: checked before anything is started or written.
import { resolve } from 'node:path'
import { type Config, readConfig } from '../src/config.ts'
import type { StoreName } from './store.ts'

export type Plan = { config: Config; dataDir: string; env: NodeJS.ProcessEnv; stores: StoreName[] }

/** They only let the check pass; each is replaced before a child sees it. */
const placeholders = {
  DATABASE_URL: 'postgres://127.0.0.1/calendar',
  REDIS_URL: 'redis://127.0.0.1',
  ADMIN_TOKEN: 'x'.repeat(32),
  SESSION_SECRETS: 'x'.repeat(32),
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
}

/** By default nothing listens for other machines: `npm start` shows the administrator's token on the screen. */
const reachableFromHere = { HOST: '127.0.0.1', METRICS_HOST: '127.0.0.1' }

/** Throws one line that names the wrong variable. */
export function planEnvironment(processEnv: NodeJS.ProcessEnv): Plan {
  const set = Object.fromEntries(Object.entries(processEnv).filter(([, value]) => value))
  const dataDir = resolve(set.DATA_DIR ?? '.data')
  const env = { ...reachableFromHere, ...set, DATA_DIR: dataDir }
  const stores: StoreName[] = []
  if (!set.DATABASE_URL) stores.push('postgres')
  if (!set.REDIS_URL) stores.push('redis')
  return { config: readConfig({ ...placeholders, ...env }), dataDir, env, stores }
}
