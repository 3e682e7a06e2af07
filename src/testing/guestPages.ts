// Requests of guests to the pages of bookings, each from an address of its own.
import { guestEnv, newAddress, type TestPage } from './guests.ts'
import { perFile, serviceTest } from './test.ts'

export const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
export const start = '2026-03-02T12:00:00.000Z'

const guest = { name: 'Ada Guest', email: 'ada@example.com', notes: '', start, zone: 'Europe/Berlin', website: '' }

type Headers = Record<string, string>

export const guestPageTest = () =>
  serviceTest({ env: guestEnv })
    .extend(
      'get',
      perFile,
      ({ call }) =>
        (path: string, headers: Headers = {}) =>
          call('GET', path, { headers: { 'x-forwarded-for': newAddress(), ...headers } }),
    )
    // As a browser sends the form.
    .extend(
      'submit',
      perFile,
      ({ service }) =>
        (slug: string, fields: object = {}, headers: Headers = {}) =>
          service.call('POST', `/book/${slug}`, {
            raw: new URLSearchParams({ ...guest, ...fields }).toString(),
            headers: {
              'content-type': 'application/x-www-form-urlencoded',
              ...{ accept: browserAccept, origin: service.baseUrl, 'x-forwarded-for': newAddress() },
              ...headers,
            },
          }),
    )
    .extend(
      'bookings',
      perFile,
      ({ call }) =>
        async ({ key, page }: TestPage): Promise<number> =>
          (await call('GET', `/v1/booking-pages/${page.id}`, { key })).body.bookings_count,
    )
