// The interactive documentation. Its files come from the package `swagger-ui-dist`, none from another site.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import express, { type Router } from 'express'
import type { App } from '../src/app.ts'
import { nameRoute } from './http/exchange.ts'
import { getOnly } from './http/getOnly.ts'
import { rootOf } from './http/root.ts'
import { openapiDocument } from './openapi/document.ts'
import { llmsFullText, llmsText } from './openapi/llms.ts'
import { routes } from './routes.ts'

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>agent-calendar API</title>
<link rel="icon" type="image/png" href="/docs/assets/favicon-32x32.png">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<div id="docs"><noscript>This page needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`

const style = `body { margin: 0 }
.swagger-ui .topbar { display: none }
.swagger-ui .info { margin: 2rem 0 1rem }
`

const script = readFileSync(join(import.meta.dirname, 'docsPage.js'), 'utf8')

export function docsRouter(app: App): Router {
  const router = express.Router()
  let document: string | undefined
  getOnly(router, '/openapi.json', (_req, res) => {
    document ??= JSON.stringify(openapiDocument(routes, app.config.baseUrl))
    res.type('application/json').send(document)
  })
  for (const [path, textOf] of Object.entries({ '/llms.txt': llmsText, '/llms-full.txt': llmsFullText })) {
    let text: string | undefined
    getOnly(router, path, (_req, res) => {
      text ??= textOf(routes, app.config.baseUrl)
      res.type('text/plain').send(text)
    })
  }
  router.use('/docs', nameRoute('/docs'), (_req, res, next) => {
    res.setHeader(
      'Content-Security-Policy',
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'",
    )
    next()
  })
  router.use('/docs/assets', nameRoute('/docs/assets'), express.static(assets, { index: false, maxAge: '1d' }))
  getOnly(router, '/', (_req, res) => res.redirect(`${rootOf(app)}/docs`))
  getOnly(router, '/docs', (_req, res) => void res.type('html').send(page))
  getOnly(router, '/docs/page.css', (_req, res) => void res.type('css').send(style))
  getOnly(router, '/docs/page.js', (_req, res) => void res.type('text/javascript').send(script))
  return router
}
