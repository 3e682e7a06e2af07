// The descriptions of the service: the site at /docs, the OpenAPI document, and the files for models.
import express, { type Router } from 'express'
import type { App } from '../../src/app.ts'
import { getOnly } from '../http/getOnly.ts'
import { rootOf } from '../http/root.ts'
import type { Route } from '../http/route.ts'
import { openapiDocument } from '../openapi/document.ts'
import { llmsFullText, llmsText } from '../openapi/llms.ts'
import type { ApiDocument } from './operations.ts'
import { sendKept, serveSite } from './serveSite.ts'
import { openSite } from './site.ts'

export function docsRouter(app: App, routes: readonly Route[]): Router {
  const router = express.Router()
  const document = once(() => openapiDocument(routes, app.config.baseUrl))
  const texts: Record<string, [type: string, text: () => string]> = {
    '/openapi.json': ['application/json', () => JSON.stringify(document())],
    '/llms.txt': ['text/plain', () => llmsText(routes, app.config.baseUrl)],
    '/llms-full.txt': ['text/plain', () => llmsFullText(routes, app.config.baseUrl)],
  }
  for (const [path, [type, text]] of Object.entries(texts)) {
    const kept = once(text)
    getOnly(router, path, (_req, res) => void res.type(type).send(kept()))
  }
  getOnly(router, '/', (_req, res) => res.redirect(`${rootOf(app)}/docs`))
  const site = openSite(() => ({ root: rootOf(app), api: document() as unknown as ApiDocument }))
  getOnly(router, '/openapi.yaml', async (req, res) => sendKept(req, res, (await site()).get('/openapi.yaml')!))
  router.use('/docs', serveSite(site))
  return router
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
