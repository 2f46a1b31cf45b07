[(struct_specifier name: (_) @type body: (_)) (union_specifier name: (_) @type body: (_))
 (enum_specifier name: (_) @type body: (_)) (type_definition declarator: (type_identifier) @type)]
[(function_declarator declarator: (identifier) @function) (preproc_function_def name: (_) @function)]
[(preproc_def name: (_) @variable) (enumerator name: (_) @variable)
 (field_declaration declarator: (field_identifier) @variable)
 (field_declaration declarator: (_ declarator: (field_identifier) @variable))]
(translation_unit (declaration declarator: [(identifier) @variable (init_declarator declarator: (identifier) @variable)]))
[(identifier) (type_identifier) (field_identifier)] @reference
