! Fortran: FLUSH per record.
!: file a.tr managed opens=1 writes=1000
!: calls a.tr <= 20
program main
  implicit none
  integer :: i
  open (unit=10, file='a.tr', action='write')
  do i = 0, 999
    write (10, '(I6,F12.5,A)') i, i / 7.0, ' record'
    flush (10)
  end do
end program main
