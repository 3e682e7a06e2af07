import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'vitest'
import { openAll } from './opened.ts'

test('what was opened is closed in reverse order, and its folder is removed unless it is kept', async () => {
  for (const keepFiles of [false, true]) {
    const closed: string[] = []
    const site = await openAll('test', async ({ dataDir, onClose }) => {
      assert.ok(existsSync(dataDir))
      for (const name of ['store', 'process', 'client']) onClose(() => closed.push(name))
      return { client: 'open' }
    })
    assert.deepEqual([site.client, closed], ['open', []])
    await site.close(keepFiles)
    assert.deepEqual(closed, ['client', 'process', 'store'])
    assert.equal(existsSync(site.dataDir), keepFiles)
    await site.close()
    assert.deepEqual([closed.length, existsSync(site.dataDir)], [3, false])
  }
})

test('a failure halfway closes what was opened before it', async () => {
  const closed: string[] = []
  let folder = ''
  const failing = openAll('test', async ({ dataDir, onClose }) => {
    folder = dataDir
    onClose(async () => void closed.push('store'))
    throw new Error('no port is free')
  })
  await assert.rejects(failing, /^Error: no port is free$/)
  assert.deepEqual([closed, existsSync(folder)], [['store'], false])
})
