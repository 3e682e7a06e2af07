// The style sheet, the script and the icon of the pages: files in this folder, read once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express, { type Router } from 'express'
import { sha256 } from '../../src/sealing/sealer.ts'
import { getOnly } from '../http/getOnly.ts'

const types = {
  'booking.css': 'text/css; charset=utf-8',
  'booking.js': 'text/javascript; charset=utf-8',
  'booking.svg': 'image/svg+xml',
}
type AssetName = keyof typeof types

const assets = new Map(
  Object.entries(types).map(([name, type]) => {
    const bytes = readFileSync(join(import.meta.dirname, name))
    return [name, { type, bytes, version: sha256(bytes.toString()).toString('hex').slice(0, 16) }]
  }),
)

/** The address changes with the content, so that caches may keep it for ever. */
export const assetPath = (name: AssetName): string => `/pages/${name}?v=${assets.get(name)!.version}`

const forever = 'public, max-age=31536000, immutable'

export function pageAssets(): Router {
  const router = express.Router()
  for (const [name, { type, bytes, version }] of assets) {
    getOnly(router, `/pages/${name}`, (req, res) => {
      // During a deployment a process may be asked for the version of another one: that answer is not cached.
      const cache = req.query.v === version ? forever : 'no-store'
      res.writeHead(200, {
        'Content-Type': type,
        'Content-Length': bytes.length,
        'Cache-Control': cache,
      })
      res.end(bytes)
    })
  }
  return router
}
