[(class_specifier name: (type_identifier) @type body: (_)) (struct_specifier name: (type_identifier) @type body: (_))
 (union_specifier name: (type_identifier) @type body: (_)) (enum_specifier name: (type_identifier) @type body: (_))
 (type_definition declarator: (type_identifier) @type) (alias_declaration name: (_) @type)
 (concept_definition name: (_) @type)]
(namespace_definition name: (namespace_identifier) @module)
[(function_declarator declarator: [(identifier) (field_identifier) (operator_name) (destructor_name)] @function)
 (function_declarator declarator: (qualified_identifier name: [(identifier) (operator_name) (destructor_name)] @function))
 (function_declarator
   declarator: (qualified_identifier name: (qualified_identifier name: (identifier) @function)))
 (preproc_function_def name: (_) @function)]
[(preproc_def name: (_) @variable) (enumerator name: (_) @variable)
 (field_declaration declarator: (field_identifier) @variable)
 (field_declaration declarator: (_ (field_identifier) @variable))]
(translation_unit (declaration declarator: [(identifier) @variable (init_declarator declarator: (identifier) @variable)]))
[(identifier) (type_identifier) (field_identifier) (namespace_identifier)] @reference
