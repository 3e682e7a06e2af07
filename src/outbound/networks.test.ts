import assert from 'node:assert/strict'
import { test } from 'vitest'
import { isIn, parseNetwork } from './addresses.ts'

const contains = (network: string, ip: string) => isIn([parseNetwork(network)!], ip)

test('an address is a network of itself', () => {
  for (const text of ['203.0.113.7', '2001:db8::1', '::1', '0.0.0.0', '203.0.113.7/32', '2001:db8::1/128']) {
    assert.ok(parseNetwork(text), text)
    assert.ok(contains(text, text.split('/')[0]!), text)
  }
  assert.ok(!contains('203.0.113.7', '203.0.113.8'))
})

test('a network has the addresses that begin as it does, and no other family', () => {
  assert.ok(contains('203.0.112.0/23', '203.0.113.255'))
  assert.ok(!contains('203.0.112.0/23', '203.0.114.0'))
  assert.ok(contains('0.0.0.0/0', '198.51.100.1'))
  assert.ok(!contains('0.0.0.0/0', '2001:db8::1'))
  assert.ok(contains('::/0', '2001:db8::1'))
  assert.ok(!contains('::/0', '198.51.100.1'))
  assert.ok(contains('2001:db8:8000::/33', '2001:db8:ffff::1'))
  assert.ok(!contains('2001:db8:8000::/33', '2001:db8:7fff::1'))
})

test('IPv4 within IPv6 is IPv4, and a zone does not count', () => {
  assert.ok(contains('::ffff:203.0.113.0/120', '203.0.113.9'))
  assert.ok(contains('203.0.113.0/24', '::ffff:203.0.113.9'))
  assert.ok(contains('203.0.113.0/24', '::ffff:cb00:7109'))
  assert.ok(contains('fe80::/10', 'fe80::1%eth0'))
})

test('a text that is no address or network is refused, and so are other bits than zero', () => {
  const wrong = [
    ...[
      '',
      '/',
      '203.0.113.0/',
      '203.0.113.0/33',
      '203.0.113.0/024',
      '203.0.113.0/-1',
      '203.0.113.0/24/24',
      ' 203.0.113.0',
    ],
    ...['203.0.113', '203.0.113.256', '0x7f000001', '127.1', '010.0.0.1', 'localhost', '*', '203.0.113.*'],
    ...[
      '203.0.113.7/24',
      '203.0.113.1/31',
      '2001:db8::1/64',
      '2001:db8::/129',
      'fe80::1%eth0',
      '::ffff:203.0.113.0/90',
    ],
  ]
  for (const text of wrong) assert.equal(parseNetwork(text), undefined, text)
})

test('a client without a valid address is in no network', () => {
  for (const ip of ['', 'unknown', '203.0.113']) assert.ok(!contains('0.0.0.0/0', ip))
})
