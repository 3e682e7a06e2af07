import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'vitest'
import { texts } from './texts.ts'

test('each text stands once, and all of them are together', async () => {
  const files = readdirSync(new URL('./texts/', import.meta.url))
  const modules = await Promise.all(files.map((name) => import(new URL(`./texts/${name}`, import.meta.url).href)))
  const together = texts as Record<string, unknown>
  // A screen with many texts keeps them under its own name.
  const names = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, one]) => (together[name] === one ? [name] : Object.keys(one as object))),
  )
  assert.deepEqual(names.toSorted(), Object.keys(texts).toSorted())
})
