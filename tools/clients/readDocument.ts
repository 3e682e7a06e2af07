import type { Document } from '../../api/openapi/clientOperations.ts'
import { openapiDocument } from '../../api/openapi/document.ts'
import { routes } from '../../api/routes.ts'

/** The base address of the document is no part of the generated code. */
export const readDocument = () => openapiDocument(routes, 'http://localhost:3000') as unknown as Document
