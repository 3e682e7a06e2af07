import assert from 'node:assert/strict'
import { test } from 'vitest'
import { compile, Identifier, Json, NewRow, Template } from './template.ts'

const part = (strings: TemplateStringsArray, ...values: unknown[]) => new Template(strings, values)

test('values go beside the text, in the order in which they stand in it, those of parts too', () => {
  const where = part`b = ${2} and c = any (${[3, 4]})`
  const limit = part`limit ${5}`
  const when = new Date(0)
  assert.deepEqual(compile(part`select ${1} where ${where} and d = ${when} ${limit}`), {
    text: 'select $1 where b = $2 and c = any ($3) and d = $4 limit $5',
    values: [1, 2, [3, 4], when, 5],
  })
})

test('a list of parts is one after the other; an empty list is a value', () => {
  const parts = [1, 2].map((n) => part`, ${n}`)
  assert.deepEqual(compile(part`select 0 ${parts}`), { text: 'select 0 , $1 , $2', values: [1, 2] })
  assert.deepEqual(compile(part`select ${[]}`), { text: 'select $1', values: [[]] })
})

test('names and new rows are written into the text, quoted', () => {
  const table = new Identifier('of "mine"')
  const row = new NewRow({ id: 1, metadata: new Json({ a: 1 }), at: part`now()` })
  const { text, values } = compile(part`insert into ${table} ${row} returning ${new Identifier(['a', 'b'])}`)
  assert.equal(text, 'insert into "of ""mine""" ("id","metadata","at") values ($1,$2,now()) returning "a","b"')
  assert.deepEqual(values, [1, new Json({ a: 1 })])
})

test('null is a value, undefined is a mistake', () => {
  assert.deepEqual(compile(part`select ${null}`).values, [null])
  assert.throws(() => compile(part`select ${part`a = ${undefined}`}`), TypeError)
})
