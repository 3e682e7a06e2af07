// The session of an administrator in the console: a cookie that says until when, with a signature. It is signed with the
// administrator's token too, so that another token ends every session.
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { App } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import { areEqual } from '../../src/sealing/sealer.ts'
import { hourMs } from '../../src/shapes/durations.ts'
import { cookie, cookieOf } from './session.ts'

const name = 'svc_admin'
const lastsMs = hourMs

const adminCookie = (app: App, value: string, maxAgeMs: number): string =>
  cookie(app, name, value, { maxAgeMs, path: '/', sameSite: 'Strict' })

export function openedAdminSession(app: App): string {
  const endsAt = String(app.clock.now().getTime() + lastsMs)
  return adminCookie(app, `${endsAt}.${signatureOf(app.config, app.config.sessionSecrets[0]!, endsAt)}`, lastsMs)
}

export const forgottenAdminSession = (app: App): string => adminCookie(app, '', 0)

export function hasAdminSession(app: App, headers: IncomingHttpHeaders): boolean {
  const [endsAt = '', signature = ''] = (cookieOf(headers, name) ?? '').split('.')
  const isSigned = app.config.sessionSecrets.some((secret) =>
    areEqual(signature, signatureOf(app.config, secret, endsAt)),
  )
  return isSigned && app.clock.now().getTime() < Number(endsAt)
}

const signatureOf = ({ adminToken }: Config, secret: string, endsAt: string): string =>
  createHmac('sha256', secret).update(`admin\0${adminToken}\0${endsAt}`).digest('base64url')
