import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { checkSentTarget, checkTarget, isPublicAddress, isTrustedHost, reachableHost } from './addresses.ts'

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.169.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:830::200e',
  '3ffe::1',
  '::ffff:8.8.8.8',
  '::ffff:808:808',
  '64:ff9b::8.8.8.8',
]

const inwardAddresses = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.88.99.1',
  '192.168.1.1',
  '192.175.48.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  '::8.8.8.8',
  '::ffff:10.0.0.1',
  '::ffff:7f00:1',
  '::ffff:169.254.169.254',
  '::ffff:0:8.8.8.8',
  '64:ff9b::10.0.0.1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::8.8.8.8',
  '100::1',
  '1fff::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:808:808::1',
  '2620:4f:8000::1',
  '2a00:1450::5efe:10.0.0.1',
  '2a00:1450::200:5efe:10.0.0.1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::1',
  'fe80::1%eth0',
  '2606:4700:4700::1111%eth0',
  'fec0::1',
  'ff02::1',
  // Not how an address is written: whoever could mean something else by it is refused.
  '',
  '0x7f.1',
  '010.0.0.1',
  '127.1',
  '2130706433',
  '8.8.8.8 ',
  '[::1]',
  'example.com',
]

describe('isPublicAddress', () => {
  for (const address of publicAddresses)
    test(`${address} is public`, () => assert.equal(isPublicAddress(address), true))
  for (const address of inwardAddresses) test(`${address} is not`, () => assert.equal(isPublicAddress(address), false))
})

const accepted: Record<string, string> = {
  'https://example.com': 'https://example.com/',
  'https://example.com:8443/hook?a=1': 'https://example.com:8443/hook?a=1',
  'HTTPS://EXAMPLE.com/Path': 'https://example.com/Path',
  'https://example.com./x': 'https://example.com/x',
  'https://example.com/x#secret': 'https://example.com/x',
  'https://ＥＸＡＭＰＬＥ.com/': 'https://example.com/',
  'https://münchen.example.com/': 'https://xn--mnchen-3ya.example.com/',
  'https://xn--mnchen-3ya.example.com/': 'https://xn--mnchen-3ya.example.com/',
  'https://localhost.example.com/': 'https://localhost.example.com/',
  'https://internal.example.com/': 'https://internal.example.com/',
  'https://10.0.0.1.example.com/': 'https://10.0.0.1.example.com/',
  'https://8.8.8.8/': 'https://8.8.8.8/',
  'https://134744072/': 'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/': 'https://[2606:4700:4700::1111]/',
  'https://[::ffff:8.8.8.8]/': 'https://[::ffff:808:808]/',
  'https://example.com/?next=https://127.0.0.1/': 'https://example.com/?next=https://127.0.0.1/',
  'https://example.com/@127.0.0.1': 'https://example.com/@127.0.0.1',
}

test('what is sent holds nothing that cannot be seen', () => {
  const hidden = [
    '\t',
    '\n',
    '\r\n',
    '\0',
    '\u007f',
    '\u0085',
    '\u00ad',
    '\u200b',
    '\u202e',
    '\u2028',
    '\u2066',
    '\ufeff',
  ]
  for (const one of hidden) {
    for (const url of [`https://exa${one}mple.com/x`, `https://example.com/${one}x`, `https://example.com/x${one}`]) {
      const check = checkSentTarget(url, [])
      assert.match(check.ok ? '' : check.reason, /control characters/, JSON.stringify(url))
    }
  }
  for (const url of ['https://münchen.example.com/%E2%80%AE', 'https://example.com/ä?q=日本']) {
    assert.equal(checkSentTarget(url, []).ok, true, url)
  }
})

test('what listens everywhere is reached on this machine', () => {
  for (const host of [undefined, '0.0.0.0', '::']) assert.equal(reachableHost(host), '127.0.0.1')
  assert.deepEqual(['192.0.2.7', '::1'].map(reachableHost), ['192.0.2.7', '[::1]'])
})

test('plain HTTP and an inward address say what helps in development', () => {
  const hint = /name its host in OUTBOUND_TRUSTED_HOSTS/
  for (const url of ['http://127.0.0.1:4000/', 'http://example.com/', 'https://127.0.0.1/']) {
    const check = checkTarget(url, [])
    assert.match(check.ok ? '' : check.reason, hint, url)
  }
  const never = checkTarget('ftp://example.com/', [])
  assert.doesNotMatch(never.ok ? '' : never.reason, hint)
})

const notUrl = /not a valid URL/
const notHttps = /must start with https/
const notPublic = /must be on the public internet/
const withUser = /user name or password/

const refused: [string, RegExp][] = [
  ['', notUrl],
  ['example.com/hook', notUrl],
  ['/hook', notUrl],
  ['https://', notUrl],
  ['https://a b.com/', notUrl],
  ['https://256.256.256.256/', notUrl],
  ['https://1.2.3.4.5/', notUrl],
  ['https://example.com:99999/', notUrl],
  ['https://[fe80::1%25eth0]/', notUrl],
  ['https://[::1/', notUrl],
  ['https://exa%00mple.com/', notUrl],
  ['http://example.com/', notHttps],
  ['http://127.0.0.1/', notHttps],
  ['ftp://example.com/', notHttps],
  ['file:///etc/passwd', notHttps],
  ['gopher://127.0.0.1:6379/_', notHttps],
  ['javascript:alert(1)', notHttps],
  ['ws://example.com/', notHttps],
  ['https://127.0.0.1/', notPublic],
  ['https://127.0.0.1./', notPublic],
  ['https://127.1/', notPublic],
  ['https://127.0.1/', notPublic],
  ['https://2130706433/', notPublic],
  ['https://017700000001/', notPublic],
  ['https://0x7f000001/', notPublic],
  ['https://0x7f.1/', notPublic],
  ['https://0x7f.0.0.0x1/', notPublic],
  ['https://0177.0.0.1/', notPublic],
  ['https://0/', notPublic],
  ['https://0.0.0.0/', notPublic],
  ['https://%31%32%37.0.0.1/', notPublic],
  ['https://１２７.０.０.１/', notPublic],
  ['https://127。0。0。1/', notPublic],
  ['https://①②⑦.0.0.1/', notPublic],
  ['https://2852039166/latest/meta-data/', notPublic],
  ['https://169.254.169.254/latest/meta-data/', notPublic],
  ['https://0xa9.0xfe.0xa9.0xfe/', notPublic],
  ['https://10.0.0.1/', notPublic],
  ['https://012.0.0.1/', notPublic],
  ['https://192.168.257/', notPublic],
  ['https://100.64.0.1/', notPublic],
  ['https://[::1]/', notPublic],
  ['https://[0:0:0:0:0:0:0:1]/', notPublic],
  ['https://[::]/', notPublic],
  ['https://[::127.0.0.1]/', notPublic],
  ['https://[::ffff:127.0.0.1]/', notPublic],
  ['https://[::ffff:7f00:1]/', notPublic],
  ['https://[0000:0000:0000:0000:0000:ffff:7f00:0001]/', notPublic],
  ['https://[64:ff9b::127.0.0.1]/', notPublic],
  ['https://[2002:7f00:1::]/', notPublic],
  ['https://[fd00:ec2::254]/', notPublic],
  ['https://[fe80::1]/', notPublic],
  ['https://localhost/', notPublic],
  ['https://LOCALHOST/', notPublic],
  ['https://localhost./', notPublic],
  ['https://ｌｏｃａｌｈｏｓｔ/', notPublic],
  ['https://api.localhost/', notPublic],
  ['https://printer.local/', notPublic],
  ['https://metadata.google.internal/', notPublic],
  ['https://metadata.google.internal./', notPublic],
  ['https://router.home.arpa/', notPublic],
  ['https://intranet/', notPublic],
  ['https://redis:6379/', notPublic],
  ['https:\\\\127.0.0.1\\', notPublic],
  ['https:127.0.0.1', notPublic],
  [' https://127.0.0.1/', notPublic],
  ['https://127.0.\n0.1/', notPublic],
  ['https://127.0.0.1#@example.com', notPublic],
  ['https://127.0.0.1/@example.com', notPublic],
  ['https://127.0.0.1?@example.com', notPublic],
  ['https://127.0.0.1\\@example.com/', notPublic],
  ['https://example.com@127.0.0.1/', withUser],
  ['https://example.com%2f@127.0.0.1/', withUser],
  ['https://user:password@example.com/', withUser],
  ['https://:password@example.com/', withUser],
  [`https://example.com/${'a'.repeat(2048)}`, /longer than 2048/],
]

describe('checkTarget', () => {
  for (const [raw, href] of Object.entries(accepted)) {
    test(`accepts ${raw}`, () => {
      const check = checkTarget(raw, [])
      assert.equal(check.ok && check.url.href, href)
    })
  }

  for (const [raw, reason] of refused) {
    test(`refuses ${JSON.stringify(raw.slice(0, 60))}`, () => {
      const check = checkTarget(raw, [])
      assert.match(check.ok ? `accepted as ${check.url.href}` : check.reason, reason)
    })
  }

  test('keeps credentials when told to, and judges the host behind them all the same', () => {
    const check = checkTarget('https://user:p%40ss@example.com/feed.ics', [], { credentials: true })
    assert.deepEqual(check.ok && [check.url.username, check.url.password], ['user', 'p%40ss'])
    assert.equal(checkTarget('https://example.com@127.0.0.1/', [], { credentials: true }).ok, false)
  })

  test('a trusted host may be http and private; nothing else is waived', () => {
    const trusted = ['localhost', '127.0.0.1:8080', '::1']
    for (const raw of ['http://localhost:3000/', 'https://localhost./', 'http://127.1:8080/', 'http://[::1]:9/']) {
      assert.equal(checkTarget(raw, trusted).ok, true, raw)
    }
    for (const raw of [
      'http://127.0.0.1/',
      'http://127.0.0.1:8081/',
      'http://api.localhost/',
      'ftp://localhost/',
      'http://u:p@localhost/',
      'http://localhost.example.com/',
    ]) {
      assert.equal(checkTarget(raw, trusted).ok, false, raw)
    }
  })
})

test('isTrustedHost compares the default port too, and IPv6 with or without brackets', () => {
  assert.equal(isTrustedHost(['hooks.test:443'], 'hooks.test', '443'), true)
  assert.equal(isTrustedHost(['hooks.test:443'], 'hooks.test', '80'), false)
  for (const entry of ['::1', '[::1]', '[::1]:8080']) {
    assert.equal(isTrustedHost([entry], '[::1]', '8080'), true, entry)
    assert.equal(isTrustedHost([entry], '::1', '8080'), true, entry)
  }
  assert.equal(isTrustedHost(['[::1]:8080'], '::1', '8081'), false)
  assert.equal(isTrustedHost([], 'localhost', '80'), false)
})
