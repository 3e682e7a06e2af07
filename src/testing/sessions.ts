// The requests of people who sign up, sign in and use their session, to any process of the installation.
import { currentVersion } from './accounts.ts'
import type { TestService } from './harness.ts'
import { perFile, serviceTest } from './test.ts'

type Process = Pick<TestService, 'call'>

export const sessionTest = () =>
  serviceTest()
    .extend('tos_version', perFile, ({ service }) => currentVersion(service))
    .extend(
      'signUp',
      perFile,
      ({ call }) =>
        (body: object) =>
          call('POST', '/v1/auth/signup', { body }),
    )
    .extend(
      'signIn',
      perFile,
      ({ service }) =>
        (body: object, process: Process = service) =>
          process.call('POST', '/v1/auth/signin', { body }),
    )
    .extend(
      'me',
      perFile,
      ({ service }) =>
        (token: string, process: Process = service) =>
          process.call('GET', '/v1/auth/me', { key: token }),
    )
