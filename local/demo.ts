// The demo organization for newcomers: made once through the public interface. Its key and the password of its owner are kept in
// DATA_DIR.
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export type Demo = {
  org_id: string
  api_key: string
  /** Its owner, with the password that the account is made with. */
  email: string
  password: string
  /** Absent: the organization began empty. */
  data?: DemoData
}

/** `begun_at` is what its dates are reckoned from. `done`: it was made, or refused. */
export type DemoData = { begun_at: string; receiver_port: number; done: boolean }

type NewDemo = {
  adminToken: string
  /** The receiver of its webhooks; without one it begins empty. */
  receiverPort: number | undefined
}

/** Returns the kept one while its key works. Rejects when the API refuses to make one. */
export async function ensureDemo(
  dataDir: string,
  apiUrl: string,
  { adminToken, receiverPort }: NewDemo,
): Promise<Demo> {
  const kept = keptDemo(dataDir)
  if (kept && (await isAccepted(apiUrl, kept))) return kept
  const made =
    (await createDemo(apiUrl, adminToken, usualEmail)) ??
    (await createDemo(apiUrl, adminToken, `demo-${randomBytes(4).toString('hex')}@example.com`))
  if (!made) throw new Error('the e-mail address is taken')
  const begun_at = new Date().toISOString()
  const demo: Demo = receiverPort ? { ...made, data: { begun_at, receiver_port: receiverPort, done: false } } : made
  keepDemo(dataDir, demo)
  return demo
}

const fileIn = (dataDir: string) => join(dataDir, 'demo.json')

export const keepDemo = (dataDir: string, demo: Demo): void =>
  writeFileSync(fileIn(dataDir), `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })

const usualEmail = 'demo@example.com'

const newPassword = () => randomBytes(12).toString('base64url')

/** One of an older version has no owner yet. */
export function keptDemo(dataDir: string): Demo | undefined {
  try {
    const kept = JSON.parse(readFileSync(fileIn(dataDir), 'utf8'))
    if (kept.password) return kept
    const completed = { email: usualEmail, password: newPassword(), ...kept }
    keepDemo(dataDir, completed)
    return completed
  } catch {
    return undefined
  }
}

/** Only a 401 means that the key no longer works: the database was replaced, or the organization was deleted. */
async function isAccepted(apiUrl: string, demo: Pick<Demo, 'api_key'>): Promise<boolean> {
  const answer = await ask(`${apiUrl}/v1/agents?limit=1`, { headers: { authorization: `Bearer ${demo.api_key}` } })
  return answer.status !== 401
}

/** Undefined when the address is taken. */
async function createDemo(apiUrl: string, adminToken: string, email: string): Promise<Demo | undefined> {
  const answer = await ask(`${apiUrl}/v1/admin/orgs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Demo', email, plan: 'pro' }),
  })
  if (answer.status === 409) return undefined
  const body = await answer.text()
  if (answer.status !== 201) throw new Error(`${answer.status} ${body.slice(0, 200)}`)
  const { org, api_key } = JSON.parse(body)
  return { org_id: org.id, api_key, email, password: newPassword() }
}

/** Right after the start Postgres or the API may be busy for a moment. */
async function ask(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) })
    if (answer.status < 500 || attempt === 3) return answer
    await pause(500)
  }
}
