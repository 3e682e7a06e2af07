import assert from 'node:assert/strict'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createNetServer } from 'node:net'
import tls from 'node:tls'
import { describe, test } from 'vitest'
import { answered, client, dead, listen, reasonOf, receiver } from '../testing/exchange.ts'

describe('where it may connect', () => {
  for (const url of [
    'https://127.0.0.2/',
    'https://2130706434/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/',
    'http://example.com/',
    'https://user:password@localhost/',
    'not a url',
  ]) {
    test(`${url} is refused before any connection`, async (t) => {
      assert.equal(reasonOf(await client(t).post(url)), 'refused_address')
    })
  }

  for (const host of ['inward', 'mixed', 'mapped', 'nat64', 'metadata', 'linklocal']) {
    test(`${host}.example.com is refused for what it resolves to`, async (t) => {
      const { port, sockets } = await listen(t, createNetServer())
      const outcome = await client(t).post(`https://${host}.example.com:${port}/`)
      assert.equal(reasonOf(outcome), 'refused_address')
      assert.equal(outcome.kind === 'failed' && outcome.message, `${host}.example.com is not on the public internet.`)
      assert.equal(sockets.length, 0)
    })
  }

  test('a name is resolved once per connection, and refused when it turns inward', async (t) => {
    const { port, sockets } = await listen(t, createNetServer())
    let calls = 0
    const { post } = client(t, { lookup: async () => (calls++ === 0 ? [dead] : ['127.0.0.1']) })
    const url = `https://rebind.example.com:${port}/`
    assert.match(reasonOf(await post(url, { deadlineMs: 200 })), /^(connect|timeout)$/)
    assert.equal(calls, 1)
    // A second client: the first may still be busy with the address that nobody answers at.
    const later = client(t, { lookup: async () => (calls++ === 0 ? [dead] : ['127.0.0.1']) })
    assert.equal(reasonOf(await later.post(url)), 'refused_address')
    assert.deepEqual([calls, sockets.length], [2, 0])
  })

  test('a trusted name may lead inward; trust in one port is not trust in another', async (t) => {
    const { port } = await receiver(t, (request, response) => response.end(request.headers.host))
    const outcome = answered(await client(t).post(`http://trusted.test:${port}/`))
    assert.equal(outcome.body.toString(), `trusted.test:${port}`)
    const { post } = client(t, { trustedHosts: [`trusted.test:${port + 1}`] })
    assert.equal(reasonOf(await post(`http://trusted.test:${port}/`)), 'refused_address')
    assert.equal(reasonOf(await post(`https://trusted.test:${port}/`)), 'refused_address')
  })

  test('a name without addresses, and one that does not exist', async (t) => {
    const { post } = client(t)
    assert.equal(reasonOf(await post('https://nothing.example.com/')), 'dns')
    const outcome = await post('https://unknown.example.com/')
    assert.equal(
      outcome.kind === 'failed' && outcome.message,
      'The name unknown.example.com could not be resolved (queryA ENOTFOUND).',
    )
  })
})

describe('TLS', () => {
  test('the certificate must be trusted and carry the name of the address', async (t) => {
    const server = createTlsServer({ key: testKey, cert: testCertificate }, (_request, response) =>
      response.end('secure'),
    )
    const { port } = await listen(t, server)
    const trustedHosts = ['hooks.test', 'other.test']
    const untrusting = client(t, { trustedHosts })
    assert.equal(reasonOf(await untrusting.post(`https://hooks.test:${port}/`)), 'tls')

    const authorities = tls.getCACertificates('default')
    t.onTestFinished(() => tls.setDefaultCACertificates(authorities))
    tls.setDefaultCACertificates([...authorities, testCertificate])
    const { post } = client(t, { trustedHosts })
    assert.equal(answered(await post(`https://hooks.test:${port}/`)).body.toString(), 'secure')
    assert.equal(reasonOf(await post(`https://other.test:${port}/`)), 'tls')
  })
})

const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHi7QhI39gPZ/WGvX
VjCvLE+AwJGOUqwwNHA7Wyw0ImChRANCAATsM5slR2bSHZb3FY4sAD6/EHxPhJ+M
lpWqRsdS9tD3jzp0AGW+L45e6jmoxCcBBNUAAxOUx2NeJ3mJIu7FxIfV
-----END PRIVATE KEY-----`
const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBlzCCAT6gAwIBAgIUemzhHCLKgHNymGj9/eHv2yQHYk4wCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKaG9va3MudGVzdDAgFw0yNjExMjEwMDQ5NTFaGA8yMTI2MTAy
ODAwNDk1MVowFTETMBEGA1UEAwwKaG9va3MudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABOwzmyVHZtIdlvcVjiwAPr8QfE+En4yWlapGx1L20PePOnQAZb4v
jl7qOajEJwEE1QADE5THY14neYki7sXEh9WjajBoMB0GA1UdDgQWBBT7N1fRKycg
VQ09x3GiP0ef8BpaRDAfBgNVHSMEGDAWgBT7N1fRKycgVQ09x3GiP0ef8BpaRDAP
BgNVHRMBAf8EBTADAQH/MBUGA1UdEQQOMAyCCmhvb2tzLnRlc3QwCgYIKoZIzj0E
AwIDRwAwRAIgHvfHo4JCgd6PJNoH4TDHwqxjPo/OLBXEKsCmGvtnQ9ACIDNA/mK7
CSB449K9gnpgAaQ26/1xf6pElNKnbCv1FFHz
-----END CERTIFICATE-----`
