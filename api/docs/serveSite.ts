// Answers below /docs.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Request, RequestHandler, Response } from 'express'
import { matches } from '../http/conditional.ts'
import { otherMethods } from '../http/errors.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { KeptFile, openSite } from './site.ts'
import { hasVersion } from './versions.ts'

const shared =
  "default-src 'none'; script-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
const policy = `${shared}; style-src 'self'`
/** The reference writes styles into its page. */
const referencePolicy = `${shared}; style-src 'self' 'unsafe-inline'`

const unzip = promisify(gunzip)
const onlyGet = otherMethods('GET')

/** One name for metrics and spans, for any path below it. */
const routeOf = (path: string) =>
  path === '/docs' ? '/docs' : path.startsWith('/docs/assets/') ? '/docs/assets' : '/docs/*'

export const serveSite =
  (site: ReturnType<typeof openSite>): RequestHandler =>
  async (req, res, next) => {
    const path = `/docs${req.path}`.replace(/\/$/, '')
    exchangeOf(res).route = routeOf(path)
    res.setHeader('Content-Security-Policy', path === '/docs/reference' ? referencePolicy : policy)
    const file = (await site()).get(path)
    if (!file) return next()
    if (req.method !== 'GET' && req.method !== 'HEAD') return onlyGet(req, res, next)
    await sendKept(req, res, file)
  }

/** Compressed for clients that accept it; 304 for clients that have it. */
export async function sendKept(req: Request, res: Response, { type, zipped, tag }: KeptFile): Promise<void> {
  const etag = `"${tag}"`
  res.setHeader('ETag', `W/${etag}`)
  res.setHeader('Cache-Control', hasVersion(req.url, tag) ? 'public, max-age=31536000, immutable' : 'no-cache')
  res.setHeader('Vary', 'Accept-Encoding')
  if (matches(req.headers['if-none-match'], etag)) return void res.status(304).end()
  res.setHeader('Content-Type', type)
  const isZipped = req.acceptsEncodings(['gzip', 'identity']) === 'gzip'
  if (isZipped) res.setHeader('Content-Encoding', 'gzip')
  const body = isZipped ? zipped : await unzip(zipped)
  res.setHeader('Content-Length', body.length)
  res.end(req.method === 'HEAD' ? undefined : body)
}
