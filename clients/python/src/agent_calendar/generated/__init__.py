# Made from the API document by `npm run reference`. Do not edit.
