/** Languages and formats of a snippet (docs.slack.dev/reference/objects/file-object#types, those that are text). */
export const SNIPPET_TYPES: ReadonlySet<string> = new Set(
  (
    'applescript auto boxnote c cfm clojure coffeescript cpp csharp css csv d dart diff dockerfile erlang fortran ' +
    'fsharp go groovy handlebars haskell haxe html java javascript json kotlin latex lisp lua markdown matlab mumps ' +
    'objc ocaml pascal perl php pig powershell puppet python r ruby rust sass scala scheme shell smalltalk sql ' +
    'swift text tsv vb vbscript velocity verilog xml yaml'
  ).split(' '),
);
