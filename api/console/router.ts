// The console: one page for every address below /console, and its assets, whose names change with their contents.
import { join } from 'node:path'
import express, { type Request, type Response, type Router } from 'express'
import { notFound } from '../../src/errors.ts'
import { otherMethods } from '../http/errors.ts'
import { nameRoute } from '../http/exchange.ts'
import { type ConsoleFiles, encodings, readConsole } from './files.ts'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'same-origin',
}

const builtFolder = join(import.meta.dirname, '../../console/dist')

export function consoleRouter(folder = builtFolder): Router {
  const router = express.Router({ caseSensitive: true })
  let kept: ConsoleFiles | undefined
  const files = (): ConsoleFiles => {
    kept ??= readConsole(folder)
    if (!kept) throw notFound('resource')
    return kept
  }
  router
    .route('/console/assets{/*name}')
    .all(nameRoute('/console/assets/*'))
    .get((req, res) => sendAsset(files(), req, res))
    .all(otherMethods('GET'))
  router
    .route(['/console', '/console/*path'])
    .all(nameRoute('/console/*'))
    .get((req, res) => send(req, res, files().index, pageHeaders))
    .all(otherMethods('GET'))
  return router
}

function sendAsset({ assets }: ConsoleFiles, req: Request, res: Response): void {
  const asset = assets.get(req.path.slice('/console/assets/'.length))
  if (!asset) throw notFound('resource')
  const encoding = encodings.find((one) => req.acceptsEncodings(one)) ?? 'identity'
  send(req, res, asset.bodies[encoding], {
    'Content-Type': asset.type,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
  })
}

function send(req: Request, res: Response, body: Buffer, headers: Record<string, string>): void {
  res.writeHead(200, { ...headers, 'Content-Length': body.length })
  res.end(req.method === 'HEAD' ? undefined : body)
}
