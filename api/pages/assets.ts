// The style sheet, the script and the icon of the pages: files in this folder, read once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import express, { type Router } from 'express'
import { type Theme, themeOf } from '../../src/bookingPages/colors.ts'
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

/** The colours of a page, by the one that its owner chose. A policy without inline styles needs them in a sheet. */
export const themePath = (color: string): string => `/pages/theme.css?c=${color.slice(1)}`

const oneDay = 'public, max-age=86400'

const themeSheet = (color: string): string => {
  const [light, dark] = [themeOf(color, 'light'), themeOf(color, 'dark')]
  const names = Object.keys(light) as (keyof Theme)[]
  return `:root {\n${names.map((name) => `  --${name}: light-dark(${light[name]}, ${dark[name]});\n`).join('')}}\n`
}

export function pageAssets(): Router {
  const router = express.Router()
  getOnly(router, '/pages/theme.css', (req, res) => {
    const { c } = req.query
    const isColor = typeof c === 'string' && /^[0-9a-f]{6}$/.test(c)
    const bytes = Buffer.from(isColor ? themeSheet(`#${c}`) : '')
    res.writeHead(isColor ? 200 : 404, {
      'Content-Type': types['booking.css'],
      'Content-Length': bytes.length,
      'Cache-Control': isColor ? oneDay : 'no-store',
    })
    res.end(bytes)
  })
  for (const [name, { type, bytes, version }] of assets) {
    getOnly(router, `/pages/${name}`, (req, res) => {
      // During a deployment a process may get requests for the version of another one: that answer is not cached.
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
