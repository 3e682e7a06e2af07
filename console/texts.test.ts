import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'vitest'
import { texts } from './texts.ts'

test('each text stands once, and all of them are together', async () => {
  const files = readdirSync(new URL('./texts/', import.meta.url))
  const modules = await Promise.all(files.map((name) => import(new URL(`./texts/${name}`, import.meta.url).href)))
  const names = modules.flatMap((module) => Object.values(module).flatMap((one) => Object.keys(one as object)))
  assert.deepEqual(names.toSorted(), Object.keys(texts).toSorted())
})
