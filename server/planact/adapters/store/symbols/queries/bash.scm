(function_definition name: (word) @function)
(program [(variable_assignment name: (variable_name) @variable)
          (declaration_command (variable_assignment name: (variable_name) @variable))])
[(command_name (word)) @reference (variable_name) @reference]
