[(class_declaration name: (_) @type) (struct_declaration name: (_) @type) (interface_declaration name: (_) @type)
 (enum_declaration name: (_) @type) (record_declaration name: (_) @type) (delegate_declaration name: (_) @type)]
[(namespace_declaration name: (identifier) @module)
 (namespace_declaration name: (qualified_name name: (identifier) @module))
 (file_scoped_namespace_declaration name: (identifier) @module)
 (file_scoped_namespace_declaration name: (qualified_name name: (identifier) @module))]
[(method_declaration name: (_) @function) (constructor_declaration name: (_) @function)
 (local_function_statement name: (_) @function)]
[(property_declaration name: (_) @variable) (enum_member_declaration name: (_) @variable)
 (field_declaration (variable_declaration (variable_declarator name: (identifier) @variable)))
 (event_field_declaration (variable_declaration (variable_declarator name: (identifier) @variable)))]
(identifier) @reference
