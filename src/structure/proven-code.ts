/** The code of errors that hold whatever a grammar may not know: brackets and texts without an end. */
export const provenCode = "proven";
