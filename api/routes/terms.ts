import { acceptTerms, currentTerms } from '../../src/organizations/terms.ts'
import { acceptedTerms, acceptTermsBody, termsManifest } from '../../src/organizations/termsSchema.ts'
import { prose } from '../http/prose.ts'
import { Answer, route } from '../http/route.ts'

const tag = 'Terms of service'

export const termsRoutes = [
  route({
    method: 'get',
    path: '/v1/auth/terms/current',
    tag,
    operationId: 'getCurrentTerms',
    summary: 'Read the current terms of service',
    description: prose(
      '`version` is the exact text that other requests need as `tos_version`.',
      'If `material` is true, organizations that accepted another version must accept again.',
    ),
    access: 'public',
    success: { status: 200, schema: termsManifest, headers: ['Cache-Control'] },
    errors: [],
    run: async ({ app }) => new Answer(200, await currentTerms(app), { 'Cache-Control': 'public, max-age=60' }),
  }),
  route({
    method: 'patch',
    path: '/v1/auth/terms',
    tag,
    operationId: 'acceptTerms',
    summary: 'Accept the current terms of service',
    description: prose(
      '`tos_version` must be the current version; otherwise `tos_version_stale` names it in `current_version`.',
      "The acceptance is recorded with the caller's address and browser.",
    ),
    access: 'session',
    role: 'admin',
    acceptsTerms: true,
    body: acceptTermsBody,
    success: { status: 200, schema: acceptedTerms },
    errors: ['validation_error', 'tos_version_stale'],
    run: ({ app, actor, body }) => acceptTerms(app, actor, body),
  }),
  route({
    method: 'post',
    path: '/v1/terms/accept',
    tag,
    operationId: 'acceptTermsWithKey',
    summary: "Accept the current terms of service with the organization's key",
    description: prose(
      'The same as `PATCH /v1/auth/terms`, for programs without a console session.',
      'The answer no longer has `Service-Terms-Upgrade-Required`.',
    ),
    access: 'organization',
    role: 'admin',
    acceptsTerms: true,
    body: acceptTermsBody,
    success: { status: 200, schema: acceptedTerms },
    errors: ['validation_error', 'tos_version_stale'],
    run: ({ app, actor, body }) => acceptTerms(app, actor, body),
  }),
]
