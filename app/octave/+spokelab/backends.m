function list = backends()
%BACKENDS  The kinds of machine: names, and what they are or why they cannot be used.
%   C = SPOKELAB.BACKENDS() is a cell with a row a machine.
%
%   See also SPOKELAB.NUFFT.
  list = spokelab_mex('backends');
end
